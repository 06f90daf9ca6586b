"""Errors of torch as the tables hold them."""


def error(kind):
    return {"type": type(kind).__name__, "message": str(kind).split("\n")[0]}


def attempt(run):
    """run() as JSON, or its error."""
    try:
        return run()
    except Exception as kind:  # noqa: BLE001 - the error is the record
        return error(kind)
