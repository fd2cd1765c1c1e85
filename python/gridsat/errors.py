"""The exceptions of gridsat."""

from __future__ import annotations


class GridsatError(Exception):
    """Something failed: the base of all exceptions of this package."""


class InputError(GridsatError, ValueError):
    """Wrong input. If it is in a file, `file`, `line` and `column` (from 1) say where.

    In a matrix, `line` and `column` are the row and the column of the value:

    >>> import gridsat
    >>> try:
    ...     gridsat.solve([[3, 4], [5, -6]])
    ... except gridsat.InputError as error:
    ...     print(error, (error.file, error.line, error.column))
    etc:2:2: '-6' is negative ('etc', 2, 2)
    """

    def __init__(
        self,
        message: str,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        super().__init__(message)
        self.file = file
        self.line = line
        self.column = column
