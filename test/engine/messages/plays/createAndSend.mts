import { id, toForm } from '../../../support/closing.mts';
import { closingFile, DEED, withFiles } from '../../../support/createAndSend.mts';
import { run, UPDATE_CLOSING } from '../../../support/operations.mts';
import { sandbox } from '../../../support/useSandbox.mts';
import { on, refuse, type Person } from '../person.mts';

/** The same messages in Transaction: Create and Send, which does several writes and finds its draft again. */

type Play = (person: Person) => Promise<void>;

let count = 0;
/** Runs an item, always with the same number. */
function item(then = 'send') {
	const loan_number = `MSG-${process.pid}-${++count}`;
	const parameters = (more: object = {}) =>
		closingFile({
			then,
			documentRules: DEED,
			...toForm({ loan_number, ...more }),
		});
	const made = () =>
		[...sandbox.world.transactions.values()].filter(
			({ fields }) => fields.loan_number === loan_number,
		);
	return { parameters, made, files: async () => await withFiles({ 'Deed of Trust.pdf': '%' }) };
}
const CREATE = /\/transactions\/?$/;

export const CREATE_AND_SEND: Record<string, Play> = {
	'the eNote is missing when the draft is there': async (person) => {
		const { parameters, made, files } = item();
		const unchosen = parameters({ paper_note_consent: false });
		await person.fails(unchosen, await files());
		expect(person.said).not.toMatch(/Nothing was changed|would create another/);
		expect(person.said.match(/run the workflow again/gi)).toHaveLength(1);
		const [draft] = made();
		const update = { transactionId: id(draft.id), updateFields: { paper_note_consent: true } };
		await person.does("'Transaction: Update'", { ...UPDATE_CLOSING, ...update });
		person.reads("turn on 'Paper Note Consent'");
		await person.again('Run the workflow again', unchosen, await files());
		expect(made().map(({ status }) => status)).toEqual(['sent']);
	},
	'a value that a create refuses': async (person) => {
		const { parameters, made, files } = item();
		refuse('POST', CREATE, 422, 'A lender needs title_agency_id');
		await person.fails(parameters(), await files());
		expect(person.said).not.toMatch(/still a draft|is kept/);
		await person.again('run the workflow again', parameters(), await files());
		expect(made().map(({ status }) => status)).toEqual(['sent']);
	},
	'a document that is refused when the transaction is made': async (person) => {
		const { parameters, made, files } = item();
		refuse('POST', 'documents', 422, 'Not this one');
		await person.fails(parameters(), await files());
		expect(person.said).not.toMatch(/Nothing was changed/);
		person.reads(`The draft ${made()[0].id} is kept`);
		await person.again('Run the workflow again', parameters(), await files());
		expect(made().map(({ status }) => status)).toEqual(['sent']);
	},
	'a create whose outcome is unknown': async (person) => {
		const { parameters, made, files } = item('draft');
		const limits = { lookUpMs: 50, lookUpPauseMs: 10 };
		sandbox.faults.add({ method: 'POST', path: CREATE, kind: 'cutAfter' });
		const fault = { method: 'GET', path: CREATE, times: Infinity, skip: 1, status: 422, body: {} };
		const end = sandbox.faults.begin(fault);
		await person.fails(parameters(), { ...(await files()), limits });
		end();
		expect(person.said).not.toMatch(/Run the workflow again: it goes on/);
		person.reads('Look at the service before you run the workflow again');
		expect((await run(on(made()[0].id, 'get'))).json.status).toBe('started');
		await person.again('run the workflow again', parameters(), await files());
		expect(made()).toHaveLength(1);
	},
	'nobody can say whether it exists': async (person) => {
		const { parameters, made, files } = item('draft');
		const fault = { method: 'GET', path: CREATE, times: Infinity, status: 422, body: {} };
		const end = sandbox.faults.begin(fault);
		await person.fails(parameters(), await files());
		end();
		expect(person.said).not.toContain('If It Exists');
		person.reads('Nothing was created');
		await run(parameters(), await files());
		expect(made()).toHaveLength(1);
	},
};
