import { decisionPage } from '../../scripts/generated/decisionTable.mts';
import { expectUpToDate } from '../support/expectUpToDate.mts';

/** docs/create-and-send.md says what becomes of each difference. */

test('the table of docs/create-and-send.md is up to date', async () => {
	const { now, text } = await decisionPage();
	expectUpToDate(now, text);
});
