"""The store that is configured: SQLite in the data folder, or MongoDB."""

import importlib.util
from contextlib import AbstractAsyncContextManager

from bot.core.errors import ConfigurationError
from bot.core.extras import install
from bot.core.stores import Stores
from bot.settings import Settings
from storage.folder import DATABASE
from storage.sqlite.stores import open_stores as sqlite_stores


def open_stores(settings: Settings) -> AbstractAsyncContextManager[Stores]:
    """Return the configured store, to be entered: MongoDB where it is named, else SQLite.

    Raises:
        ConfigurationError: MongoDB is configured and its extra is missing.
    """
    uri = settings.mongodb_uri.get_secret_value()
    if not uri:
        folder = settings.data_dir
        return sqlite_stores(folder / DATABASE, files_folder=folder / "files")
    if importlib.util.find_spec(settings.mongo_driver) is None:
        extra = "mongo" if settings.mongo_driver == "pymongo" else "motor"
        raise ConfigurationError(
            f"MONGODB_URI is set, but {settings.mongo_driver} is missing: {install(extra)}"
        )
    from storage.mongo.stores import open_stores as mongo_stores  # noqa: PLC0415  # only then

    return mongo_stores(uri, driver=settings.mongo_driver)
