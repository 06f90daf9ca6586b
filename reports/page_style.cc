#include "reports/page_style.h"

namespace qconform {

const std::string_view kPageStyle = R"css(
:root{color-scheme:light dark;--page:#f6f7f9;--card:#fff;--ink:#1b1f24;--soft:#5c6670;
--edge:#dfe3e8;--track:#e8ebef;--good:#12805c;--goodbg:#e3f4ec;--bad:#c2311b;
--badbg:#fdeae6;--warn:#8a6100;--warnbg:#fdf3d8;--scheme:#3f7fd0;--skip:#a5adb6;
--known:#b98a1d;--crash:#7c1d6f;--float:#d8962f;--speed:#3f7fd0}
@media (prefers-color-scheme:dark){:root{--page:#14171a;--card:#1d2125;--ink:#e6e9ec;
--soft:#9aa4ae;--edge:#31373d;--track:#2c3237;--good:#3fbf92;--goodbg:#15352b;
--bad:#ff7a63;--badbg:#401d17;--warn:#e6b54a;--warnbg:#3a2e12;--scheme:#6ba3ea;
--skip:#6b747d;--known:#cfa23a;--crash:#d070c2;--float:#dba04a;--speed:#6ba3ea}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);
font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
main{max-width:1120px;margin:0 auto;padding:20px 16px 60px}
header,section{background:var(--card);border:1px solid var(--edge);border-radius:10px;
padding:18px 22px;margin:0 0 16px}
header{border-left:8px solid var(--skip)}
header.good{border-left-color:var(--good)}
header.bad{border-left-color:var(--bad);background:var(--badbg)}
header.warn{border-left-color:var(--warn);background:var(--warnbg)}
header h1{margin:0;font-size:30px;line-height:1.2;overflow-wrap:anywhere}
header.good h1{color:var(--good)} header.bad h1{color:var(--bad)}
header.warn h1{color:var(--warn)}
header p{margin:4px 0 0} .over{color:var(--soft);font-size:13px;letter-spacing:.04em}
.tiles{display:flex;flex-wrap:wrap;gap:10px;margin-top:14px}
.tile{flex:1 1 120px;background:var(--card);border:1px solid var(--edge);
border-radius:8px;padding:8px 14px}
.tile b{display:block;font-size:26px;line-height:1.2;font-variant-numeric:tabular-nums}
.tile span{color:var(--soft);font-size:13px}
.tile.good b{color:var(--good)} .tile.bad b{color:var(--bad)}
.tile.warn b{color:var(--warn)} .tile.none b{color:var(--soft)}
h2{margin:0 0 10px;font-size:20px} h3{margin:20px 0 6px;font-size:16px;
overflow-wrap:anywhere} h2+h3,article:first-of-type h3{margin-top:0}
nav{display:flex;flex-wrap:wrap;gap:4px 16px;margin:0 4px 16px;font-size:14px}
a{color:var(--scheme)}
p{margin:6px 0} .note,small{color:var(--soft)} small{font-size:12.5px;display:block;
overflow-wrap:anywhere} .note{font-size:14px}
.loud{color:var(--bad);font-weight:600}
ul{margin:6px 0;padding-left:20px} ul.plain{list-style:none;padding-left:0;
font-size:13.5px;color:var(--soft)} ul.plain li{overflow-wrap:anywhere}
ul.columns{columns:2 320px;font-size:13.5px} ul.mono{font:12.5px/1.5 ui-monospace,
SFMono-Regular,Menlo,Consolas,monospace;list-style:none;padding-left:0;margin:4px 0 0;
overflow-wrap:anywhere}
code{font:12.5px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;
overflow-wrap:anywhere}
.digest{white-space:nowrap} .words small{display:inline;margin-left:10px}
summary{cursor:pointer;color:var(--scheme)}
table{width:100%;border-collapse:collapse;margin:8px 0;font-size:14px}
th{text-align:left;color:var(--soft);font-weight:600;font-size:12.5px;
border-bottom:1px solid var(--edge);padding:4px 10px 4px 0;vertical-align:bottom}
td{border-bottom:1px solid var(--edge);padding:6px 10px 6px 0;vertical-align:top;
overflow-wrap:anywhere}
td .bar{min-width:160px;margin:5px 0 2px}
tr:last-child td{border-bottom:0} table.compact{width:auto;min-width:320px}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
tr.bad td{color:var(--bad)}
.bar{display:flex;height:12px;border-radius:6px;overflow:hidden;background:var(--track)}
.bar i{display:block;min-width:3px}
i.pass{background:var(--good)} i.scheme{background:var(--scheme)}
i.fail{background:var(--bad)} i.crash{background:var(--crash)}
i.skip{background:var(--skip)} i.known{background:var(--known)}
i.float{background:var(--float)} i.speed{background:var(--speed)}
.word.fail,.word.crash{color:var(--bad);font-weight:600} .word.pass{color:var(--good)}
.word.skip,.word.known{color:var(--soft)} .word.float{color:var(--float)} .word.scheme{color:var(--scheme)}
.sum{font-size:15px}
.line{display:grid;grid-template-columns:minmax(180px,1.1fr) minmax(120px,1fr)
minmax(180px,1.5fr);gap:4px 16px;align-items:center;padding:4px 0;
border-top:1px solid var(--edge);font-size:14px}
.line .name{overflow-wrap:anywhere} .line.bad .name{color:var(--bad);font-weight:600}
.share{display:grid;grid-template-columns:minmax(90px,1fr) 58px;gap:10px;
align-items:center} .share span{text-align:right;font-variant-numeric:tabular-nums}
article+article{border-top:1px solid var(--edge);margin-top:18px}
.case{border-left:3px solid var(--bad);padding:2px 0 2px 12px;margin:10px 0}
.case .id{font-weight:600}
footer{color:var(--soft);font-size:13px;padding:0 4px}
@media (max-width:700px){body{font-size:14.5px} main{padding:10px 8px 40px}
header,section{padding:14px 14px;border-radius:8px} header h1{font-size:24px}
.tiles{display:grid;grid-template-columns:1fr 1fr}
.line{grid-template-columns:1fr;gap:3px;padding:9px 0}
thead{display:none} table,tbody,tr,td{display:block;width:100%}
tr{border-bottom:1px solid var(--edge);padding:8px 0} tr:last-child{border-bottom:0}
table.compact{min-width:0} td,td.number{border:0;padding:1px 0;text-align:left;display:grid;white-space:normal;
grid-template-columns:110px 1fr;gap:10px}
td::before{content:attr(data-title);color:var(--soft);font-size:12.5px}
td>div{min-width:0}}
@media print{body{background:#fff} header,section{break-inside:avoid-page}}
)css";

}  // namespace qconform
