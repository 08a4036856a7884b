import type { IDataObject } from 'n8n-workflow';

import { pdfItem } from '../../support/closing.mts';
import { businessFile, closingFile } from '../../support/createAndSend.mts';
import { runNode, useBinaryMode } from '../../support/engine.mts';
import { liveBusinessDocument, liveClosing, liveDocument } from '../../support/live/answers.mts';
import { withService, type Script } from '../../support/live/service.mts';
import { signerOf } from '../../support/live/signers.mts';
import { hints } from '../../support/operations.mts';

/** Transaction: Create and Send with answers as live services were seen to give them. */

beforeAll(async () => await useBinaryMode('filesystem'));

const ID = 'ot_od4kenk';
const SIGNERS = [
	signerOf({ email: 'jane.borrower@example.com', first_name: 'Jane', last_name: 'Borrower' }, 0),
];

/** A service that keeps a closing or a transaction, and shows it as live ones do. */
function keeping(
	numbers: IDataObject,
	{ exists = false, refuses = false, showsTracking = true } = {},
): { script: Script; documents: IDataObject[] } {
	const documents: IDataObject[] = [];
	let isThere = exists;
	const shown = () =>
		liveClosing(documents, { signers: SIGNERS, transaction_type: null, ...numbers });
	const script: Script = ({ method, path, body }) => {
		if (method === 'POST' && path.endsWith('/documents')) {
			const { filename, tracking_id: tracking } = body as IDataObject;
			if (refuses && tracking !== undefined)
				return { status: 422, body: { errors: ['tracking_id is not allowed'] } };
			const onBusiness = !path.includes('/mortgage');
			documents.push(
				(onBusiness ? liveBusinessDocument : liveDocument)({
					id: `do_${documents.length + 1}`,
					document_name: filename,
					...(showsTracking && tracking !== undefined && { tracking_id: tracking }),
				}),
			);
			// Real estate answers with all documents of the closing.
			return { body: onBusiness ? documents.at(-1) : documents };
		}
		if (method === 'POST' && path.endsWith('/transactions')) {
			isThere = true;
			return { body: shown() };
		}
		if (path.endsWith(ID)) return { body: shown() };
		const data = isThere ? [shown()] : [];
		return { body: { total_count: data.length, count: data.length, data } };
	};
	return { script, documents };
}

/** Runs it with the deed, several times. */
async function runTimes(times: number, parameters: IDataObject, script: Script, name?: string) {
	return await withService(script, async ({ credential, requests }) => {
		const outcomes = [];
		for (let time = 0; time < times; time++)
			outcomes.push(
				await runNode({ credential, parameters, items: [await pdfItem('deed-of-trust', name)] }),
			);
		const last = outcomes.at(-1)!;
		return {
			...last,
			said: last.error && `${last.error.message}. ${last.error.description}`,
			added: requests.filter(({ method, path }) => method === 'POST' && /documents$/.test(path)),
			created: requests.filter(
				({ method, path }) => method === 'POST' && /transactions$/.test(path),
			),
		};
	});
}

const closing = closingFile({ additionalFields: { loan_number: '7' } });
const business = businessFile({ additionalFields: { external_id: 'case-7' } });

test.each([
	[
		'a closing, whose type no answer shows, and whose documents are all answered',
		closing,
		{ loan_number: '7' },
	],
	[
		'a business transaction, whose documents show a Tracking ID when it is set',
		business,
		{ external_id: 'case-7' },
	],
])('%s: created once, each document once', async (_what, parameters, numbers) => {
	const { script } = keeping(numbers);
	const { items, error, added, created } = await runTimes(3, parameters, script);
	expect(error).toBeUndefined();
	expect([created.length, added.length]).toEqual([1, 1]);
	expect(items[0].json).toMatchObject({ transaction_id: ID, existing: true });
});

test('a document that somebody has added stands beside, and one that has a Tracking ID of theirs', async () => {
	const { script, documents } = keeping({ loan_number: '7' }, { exists: true });
	documents.push(
		liveDocument({ id: 'do_8', document_name: 'Rider' }),
		liveDocument({ id: 'do_9', document_name: 'Survey', tracking_id: '1042' }),
	);
	const { error, added } = await runTimes(2, closing, script);
	expect([error, added.length]).toEqual([undefined, 1]);
});

test('a service that takes no reference gets the document without it, and says so', async () => {
	const { script } = keeping({ loan_number: '7' }, { refuses: true });
	const outcome = await runTimes(1, closing, script);
	expect(outcome.error).toBeUndefined();
	expect(hints(outcome)).toContain('takes no reference of the node');
	const again = keeping({ loan_number: '7' }, { exists: true, refuses: true });
	again.documents.push(liveDocument({ id: 'do_1', document_name: 'Deed of Trust' }));
	const { said, added } = await runTimes(1, closing, again.script);
	expect(said).toContain('shows no reference that tells whether it has the same content');
	expect(said).toMatch(/set 'If a Document Differs' to Replace$/);
	expect(added).toEqual([]);
});

test('what does not show its references is not added twice', async () => {
	const { script } = keeping({ loan_number: '7' }, { showsTracking: false });
	const { said, added } = await runTimes(2, closing, script);
	expect(said).toContain(`'Deed of Trust.pdf' has the name of do_1 in ${ID}`);
	expect(added).toHaveLength(1);
});
