import type { IDataObject } from 'n8n-workflow';

import { pdfItem, toForm } from '../../support/closing.mts';
import { businessFile, closingFile, RULES } from '../../support/createAndSend.mts';
import { runNode, useBinaryMode } from '../../support/engine.mts';
import { liveBusinessDocument, liveClosing, liveDocument } from '../../support/live/answers.mts';
import { withService, type Script } from '../../support/live/service.mts';
import { signerOf } from '../../support/live/signers.mts';
import { hints } from '../../support/operations.mts';

/** Transaction: Create and Send with answers as live services were seen to give them. */

beforeAll(async () => await useBinaryMode('filesystem'));

const ID = 'ot_od4kenk';

/** What the service shows of what was created: no answer has a closing's type and consent. */
const answerOf = (body: IDataObject): IDataObject => ({
	transaction_name: body.transaction_name,
	loan_number: body.loan_number,
	external_id: body.external_id,
	street_address: body.street_address,
	transaction_type: null,
	signers: ((body.signers ?? [body.signer]) as IDataObject[]).map(signerOf),
	recording_jurisdiction: { id: body.recording_jurisdiction_id },
	title_agency: { id: body.title_agency_id },
	title_underwriter: { id: body.title_underwriter_id },
});

/** A service that keeps a closing or a transaction, and shows it as live ones do. */
function keeping({ refuses = false, showsTracking = true, showsFiles = false } = {}): {
	script: Script;
	documents: IDataObject[];
} {
	const documents: IDataObject[] = [];
	const files = new Map<unknown, unknown>();
	let created: IDataObject | undefined;
	const shown = () => liveClosing(documents, answerOf(created!));
	const script: Script = ({ method, path, body }) => {
		if (method === 'POST' && path.endsWith('/documents')) {
			const { filename, tracking_id: tracking, resource } = body as IDataObject;
			if (refuses && tracking !== undefined)
				return { status: 422, body: { errors: ['tracking_id is not allowed'] } };
			const onBusiness = !path.includes('/mortgage');
			const id = `do_${documents.length + 1}`;
			files.set(id, resource);
			documents.push(
				(onBusiness ? liveBusinessDocument : liveDocument)({
					id,
					document_name: filename,
					...(showsTracking && tracking !== undefined && { tracking_id: tracking }),
				}),
			);
			// Real estate answers with all documents of the closing.
			return { body: onBusiness ? documents.at(-1) : documents };
		}
		if (method === 'POST' && path.endsWith('/transactions')) {
			created = body as IDataObject;
			return { body: shown() };
		}
		if (method === 'POST') return { body: { ...shown(), ...SENT } };
		const [, document] = /\/documents\/(do_\w+)$/.exec(path) ?? [];
		if (document !== undefined)
			return showsFiles ? { body: { id: document, data: files.get(document) } } : undefined;
		if (path.endsWith(ID)) return { body: shown() };
		if (path.endsWith('/transactions')) {
			const data = created === undefined ? [] : [shown()];
			return { body: { total_count: data.length, count: data.length, data } };
		}
		return undefined;
	};
	return { script, documents };
}
const SENT = { status: 'sent', detailed_status: 'sent_to_signer' };

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
			writes: requests.filter(({ method }) => method !== 'GET'),
			added: requests.filter(({ method, path }) => method === 'POST' && /documents$/.test(path)),
			created: requests.filter(
				({ method, path }) => method === 'POST' && /transactions$/.test(path),
			),
		};
	});
}

const deedAlone = { documentRules: { row: [RULES.row[0]] } };
const closing = closingFile({ ...deedAlone, ...toForm({ loan_number: '7' }) });
const business = businessFile({ ...deedAlone, ...toForm({ external_id: 'case-7' }) });
const sent = { ...closing, then: 'send' };
const UNKNOWN =
	"Whether Deed of Trust has the item's content is unknown: the service doesn't show it";

test.each([
	['a closing, whose type no answer shows, and whose documents are all answered', closing],
	['a business transaction, whose documents show a Tracking ID when it is set', business],
])('%s: created once, each document once', async (_what, parameters) => {
	const { script } = keeping();
	const { items, error, added, created } = await runTimes(3, parameters, script);
	expect(error).toBeUndefined();
	expect([created.length, added.length]).toEqual([1, 1]);
	expect(items[0].json).toMatchObject({ transaction_id: ID, existing: true });
});

test('documents that somebody has added stay in a draft, and stop what would be sent with them', async () => {
	const { script, documents } = keeping();
	await runTimes(1, closing, script);
	documents.push(
		liveDocument({ id: 'do_8', document_name: 'Rider' }),
		liveDocument({ id: 'do_9', document_name: 'Survey', tracking_id: '1042' }),
	);
	const drafted = await runTimes(1, closing, script);
	expect([drafted.error, drafted.added]).toEqual([undefined, []]);
	const stopped = await runTimes(1, sent, script);
	expect(stopped.said).toContain(`(1) Rider is in ${ID}, and not in the item.`);
	expect(stopped.said).toContain(`(2) Survey is in ${ID}, and not in the item.`);
	expect(stopped.said).toContain("See 'Remove Signers Not Named' and 'Documents Not in the Item'");
	expect(stopped.writes).toEqual([]);
});

test('a service that takes no reference gets the document without it, and says so', async () => {
	const { script } = keeping({ refuses: true });
	const outcome = await runTimes(1, closing, script);
	expect(outcome.error).toBeUndefined();
	expect(hints(outcome)).toContain('takes no reference of the node');
	const again = await runTimes(1, sent, script);
	expect(again.said).toContain(UNKNOWN);
	expect(again.writes).toEqual([]);
});

test('what does not show its references is not added twice, and is sent if its file is equal', async () => {
	const hidden = keeping({ showsTracking: false });
	const drafted = await runTimes(2, closing, hidden.script);
	expect([drafted.error, drafted.added.length]).toEqual([undefined, 1]);
	expect((await runTimes(1, sent, hidden.script)).said).toContain(UNKNOWN);
	const { script } = keeping({ showsTracking: false, showsFiles: true });
	await runTimes(1, closing, script);
	const { error, items, added } = await runTimes(1, sent, script);
	expect([error, added]).toEqual([undefined, []]);
	expect(items[0].json).toMatchObject(SENT);
});
