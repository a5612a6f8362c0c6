-- Names of entries are found in traditional and in simplified characters.
UPDATE entries SET item_folded = folded(item);
