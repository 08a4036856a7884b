import { readmePage } from '../../scripts/generated/readmeTables.mts';
import { expectUpToDate } from '../support/expectUpToDate.mts';

/** What the README says of the package. */

test("the README's tables are the lists of operations and of events", async () => {
	const { now, text } = await readmePage();
	expectUpToDate(now, text);
});
