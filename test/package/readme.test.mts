import { test } from 'vitest';

import { operationsTable, tableOfReadme } from '../support/generated/operationsTable.mts';
import { expectUpToDate } from '../support/generated/upToDate.mts';

/** What the README says of the package. */

test("the README's table of operations is the list of operations", async () => {
	expectUpToDate(tableOfReadme(), await operationsTable());
});
