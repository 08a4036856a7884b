import { test } from 'vitest';

import { readmePage } from '../support/generated/readmeTables.mts';
import { expectUpToDate } from '../support/generated/upToDate.mts';

/** What the README says of the package. */

test("the README's tables are the lists of operations and of events", async () => {
	const { now, text } = await readmePage();
	expectUpToDate(now, text);
});
