import {
	deed,
	document,
	documents,
	emails,
	FILES,
	JANE,
	kept,
	newLoan,
	note,
	play,
	send,
	SENT,
	UPDATE,
} from '../../support/runAgain.mts';
import { sandbox, useSandbox } from '../../support/useSandbox.mts';

/** What happens to an item while it runs, or between two tries of it. */

useSandbox();
beforeEach(() => void newLoan());

const OLD = [{ ...JANE, email: 'jane@old.example.com' }];
const TYPO = [{ ...JANE, email: 'jane@typo.example.com' }];

/** Does something when the service gets the next request of this kind. */
function onNext(method: string, path: RegExp, act: () => void) {
	const { requests } = sandbox;
	const { push } = requests;
	requests.push = (...all) => {
		const [asked] = all;
		if (asked.method === method && path.test(asked.path)) {
			requests.push = push;
			act();
		}
		return push.apply(requests, all);
	};
}

test('an address that somebody changes while documents are added stops the sending', async () => {
	await play({ files: { 'Deed.pdf': '%deed' }, then: 'draft' });
	onNext('POST', /documents$/, () => (kept().signers[0].email = 'jane@edited.example.com'));
	const { said, writes } = await send({});
	expect(said).toContain("Email of Jane Borrower is 'jane@edited.example.com' in ID");
	expect(writes).not.toContain(SENT[0]);
});

test('one that somebody has sent meanwhile with another address is not taken for sent', async () => {
	await play({ files: { 'Deed.pdf': '%deed' }, then: 'draft' });
	const sendIt = () => {
		kept().signers[0].email = 'jane@edited.example.com';
		Object.assign(kept(), { status: 'sent', detailedStatus: 'sent_to_signer' });
	};
	onNext('POST', /documents$/, () => onNext('GET', /transactions/, sendIt));
	const { said, writes } = await send({});
	expect(said).toContain('Something else has sent it');
	expect(said).toContain("Email of Jane Borrower is 'jane@edited.example.com' in ID");
	expect(writes).not.toContain(SENT[0]);
});

test('a retry with a corrected item makes the correction, and sends to the right address', async () => {
	await play({ signers: OLD });
	sandbox.faults.add({
		method: 'POST',
		path: /place_order/,
		status: 422,
		body: { errors: ['No'] },
	});
	const first = await send({ signers: TYPO, options: { executionId: '71' } }, UPDATE);
	expect([first.said !== undefined, emails()]).toEqual([true, [TYPO[0].email]]);
	const options = { executionId: '72', retryOf: first.outcome };
	const { said } = await send({ options }, UPDATE);
	expect([said, emails()]).toEqual([undefined, [JANE.email]]);
});

test('a retry with a mended rule has the document once, as the rule wants it now', async () => {
	sandbox.faults.add({
		method: 'POST',
		path: /place_order/,
		status: 422,
		body: { errors: ['No'] },
	});
	const first = await send({ options: { executionId: '73' } });
	const options = { executionId: '74', retryOf: first.outcome };
	const mended = { rules: [deed, note('signer-1', 200)], options };
	const { said } = await send(mended, UPDATE);
	expect([said, documents().map(({ name }) => name)]).toEqual([undefined, ['Deed', 'Note']]);
	expect(document('Note').designations).toMatchObject([{ x: 200 }]);
});

test('a moved box is mended once, also if the old document is deleted by the next run only', async () => {
	await play({ platform: 'business', then: 'draft' });
	(document('Note').designations[0] as { x: number }).x = 300;
	sandbox.faults.add({
		method: 'DELETE',
		path: /documents/,
		status: 422,
		body: { errors: ['No'] },
	});
	const stopped = await play({ platform: 'business' }, UPDATE);
	expect(stopped.said).toBeDefined();
	const again = await play({ platform: 'business' }, UPDATE);
	expect([again.said, documents().length]).toEqual([undefined, Object.keys(FILES).length]);
	expect(document('Note').designations).toMatchObject([{ x: 72 }]);
	expect((await play({ platform: 'business' }, UPDATE)).writes).toEqual([]);
});

test('another property has nothing of the former one', async () => {
	await play({ line2: 'Unit 5' });
	const { said } = await send({ line1: '200 Oak Avenue' }, UPDATE);
	expect(said).toBeUndefined();
	const address = kept().fields.street_address as { line1: string; line2?: string };
	expect([address.line1, address.line2 ?? '']).toEqual(['200 Oak Avenue', '']);
});
