import { rowsPage } from '../../scripts/generated/headingTables.mts';
import { expectUpToDate } from '../support/expectUpToDate.mts';

/** docs/rows.md shows the headings that the node finds. */

test('the tables of docs/rows.md are up to date', async () => {
	const { now, text } = await rowsPage();
	expectUpToDate(now, text);
});
