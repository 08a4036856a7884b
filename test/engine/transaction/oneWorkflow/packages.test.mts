import type { IDataObject } from 'n8n-workflow';

import { writes } from '../../../support/createAndSend.mts';
import { forEachCase } from '../../../support/forEachCase.mts';
import { attempt, hints, run, transaction } from '../../../support/operations.mts';
import { sandbox, useSandbox } from '../../../support/useSandbox.mts';
import { GOOD } from './good.mts';
import { expectPlaces, packUp, readPlaces } from './papers.mts';
import { COUPLE, DEED, PLANTED } from './planted.mts';
import { closingColumns, DISCLOSURE, roleRow, workflowOf } from './workflow.mts';

/**
 * Create and Send with one workflow for every loan: each mistake stops the item or is told, and what
 * is right is sent.
 */

useSandbox();
let number = 0;
beforeEach(() => void sandbox.requests.splice(0));

/** The row with a number of its own, so that no case finds what another one has made. */
function numbered(row: IDataObject): IDataObject {
	const own = `54${String(++number).padStart(2, '0')}`;
	return { ...row, ['Loan Number' in row ? 'Loan Number' : 'External ID']: own };
}
const withRules = (rules?: IDataObject[]) => rules && { documentRules: { row: rules } };

test.each(PLANTED.map((mistake) => [mistake.name, mistake] as const))(
	'%s: stops or is told',
	async (_name, { row, rules, papers = [DEED, DISCLOSURE], platform, ends, says }) => {
		const json = numbered(row ?? roleRow(closingColumns('0'), COUPLE));
		const outcome = await attempt(workflowOf(platform, withRules(rules)), {
			items: [await packUp(json, papers)],
		});
		const { error, items } = outcome;
		const said = error ? `${error.message}. ${error.description ?? ''}` : hints(outcome);
		forEachCase(says, (gist) => expect(said).toMatch(gist));
		expect(error === undefined).toBe(ends === 'told');
		if (ends === 'stops') expect(writes()).toEqual([]);
		const all = [...sandbox.world.transactions.values()].at(-1);
		if (ends === 'check') expect(all?.status).toBe('started');
		if (ends === 'told') expect(transaction(items[0].json.transaction_id).status).toBe('sent');
	},
);

test.each(GOOD.map((good) => [good.name, good] as const))(
	'%s: nothing is missing, and what is sent is right',
	async (_name, { row, rules, papers, platform, people, isUndated }) => {
		const items = [await packUp(numbered(row), papers)];
		const parameters = workflowOf(platform, withRules(rules));
		const { json: checked } = await run({ ...parameters, then: 'check' }, { items });
		expect(checked.check).toMatchObject({ ready: true, missing: 0 });
		const { json } = await run(parameters, { items });
		expect(json.existing).toBe(true);
		const differences = json.differences as IDataObject[];
		expect(differences.filter(({ kind }) => kind !== 'unknown')).toEqual([]);
		const sent = transaction(json.transaction_id);
		expect(sent.status).toBe('sent');
		forEachCase(papers, (paper) =>
			expect(readPlaces(sent, paper)).toEqual(expectPlaces(paper, people, isUndated !== true)),
		);
	},
);
