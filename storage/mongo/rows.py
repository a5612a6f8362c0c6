"""One collection: the only place that calls the driver."""

from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from typing import Any, TypeVar

from pymongo import ReturnDocument
from pymongo.asynchronous.collection import AsyncCollection
from pymongo.errors import BulkWriteError, DuplicateKeyError

from bot.core.errors import StorageError
from storage.mongo.driver import Row, awaited
from storage.mongo.failures import DUPLICATE_KEY, our_errors

T = TypeVar("T")
Filter = Mapping[str, Any]
Sort = Sequence[tuple[str, int]]

BATCH = 1000
"""Rows that are fetched at a time."""


class Rows:
    """The rows of one collection; every error is one of `bot.core.errors`."""

    def __init__(self, collection: AsyncCollection[Row]) -> None:
        self._collection = collection

    async def one(self, wanted: Filter, *, sort: Sort | None = None) -> Row | None:
        """Return the first row."""
        with our_errors():
            return await self._collection.find_one(wanted, sort=sort)

    async def many(
        self,
        wanted: Filter,
        *,
        sort: Sort | None = None,
        limit: int = 0,
        fields: Sequence[str] | None = None,
    ) -> list[Row]:
        """Return the rows; a limit of 0 is none."""
        with our_errors():
            found = self._collection.find(wanted, fields, sort=sort, limit=limit, batch_size=BATCH)
            return await found.to_list(None)

    async def batches(self, wanted: Filter, *, sort: Sort, size: int) -> AsyncIterator[list[Row]]:
        """Yield all the rows by one request, so many at a time."""
        batch: list[Row] = []
        with our_errors():
            async for row in self._collection.find(wanted, sort=sort, batch_size=size):
                batch.append(row)
                if len(batch) == size:
                    yield batch
                    batch = []
        if batch:
            yield batch

    async def grouped(self, *stages: Mapping[str, Any]) -> list[Row]:
        """Return what the aggregation leads to."""
        with our_errors():
            found = await awaited(self._collection.aggregate(list(stages)))
            return await found.to_list(None)

    async def counts_by(self, field: str) -> dict[str, int]:
        """Return how many rows there are by the values of a field."""
        groups = await self.grouped({"$group": {"_id": f"${field}", "rows": {"$sum": 1}}})
        return {group["_id"]: group["rows"] for group in groups}

    async def count(self, wanted: Filter) -> int:
        """Return how many rows there are."""
        with our_errors():
            return await self._collection.count_documents(wanted)

    async def add(self, row: Row) -> bool:
        """Write a new row; False when a unique key of it is taken."""
        with our_errors():
            try:
                await self._written(self._collection.insert_one(row))
            except DuplicateKeyError:
                return False
        return True

    async def add_all(self, rows: Sequence[Row]) -> None:
        """Write those of the rows whose unique keys are free."""
        if not rows:
            return
        with our_errors():
            try:
                await self._written(self._collection.insert_many(rows, ordered=False))
            except BulkWriteError as error:
                failures = error.details.get("writeErrors", [])
                others = [item for item in failures if item["code"] != DUPLICATE_KEY]
                if others or not failures:
                    raise StorageError(str(others or error)) from error

    async def change(self, wanted: Filter, change: Mapping[str, Any]) -> bool:
        """Change the first row; False when there is none.

        Raises:
            ConflictError: another row has the new unique key.
        """
        with our_errors():
            result = await self._written(self._collection.update_one(wanted, change))
        return result.matched_count == 1

    async def change_all(self, wanted: Filter, change: Mapping[str, Any]) -> int:
        """Change all rows; return how many."""
        with our_errors():
            result = await self._written(self._collection.update_many(wanted, change))
        return result.matched_count

    async def changed(self, wanted: Filter, change: Mapping[str, Any]) -> Row | None:
        """Change one row and return it as it is then; None when there is none."""
        with our_errors():
            return await self._written(
                self._collection.find_one_and_update(
                    wanted, change, return_document=ReturnDocument.AFTER
                )
            )

    async def remove_all(self, wanted: Filter) -> int:
        """Delete the rows; return how many."""
        with our_errors():
            result = await self._written(self._collection.delete_many(wanted))
        return result.deleted_count

    async def _written(self, request: Awaitable[T]) -> T:
        return await request
