import { test } from 'vitest';

import { rowsPage } from '../support/generated/headingTables.mts';
import { expectUpToDate } from '../support/generated/upToDate.mts';

/** docs/rows.md shows the headings that the node finds. */

test('the tables of docs/rows.md are up to date', async () => {
	const { now, text } = await rowsPage();
	expectUpToDate(now, text);
});
