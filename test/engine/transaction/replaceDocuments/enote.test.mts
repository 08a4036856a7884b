import { toForm } from '../../../support/closing.mts';
import { closingFile, withFiles } from '../../../support/createAndSend.mts';
import { attempt, ownDocuments, run, transaction } from '../../../support/operations.mts';
import { writes } from '../../../support/createAndSend.mts';
import { sandbox, useSandbox } from '../../../support/useSandbox.mts';
import { names, replacing, RULES } from './scene.mts';

/** Transaction: Replace Documents: the eNote of a closing. */

useSandbox();

const ENOTE = { row: { enoteType: 'ENOTE', source: 'binary', binaryPropertyName: 'file1' } };
const note = async (more = '') =>
	`${await (await fetch(`${sandbox.url}/samples/enote.xml`)).text()}<!--${more}-->`;
const files = async (more: string) =>
	await withFiles({ 'Deed.pdf': '%deed', 'note.xml': await note(more) });
let count = 0;
async function makeClosing(): Promise<string> {
	const parameters = closingFile({
		...{ then: 'send', documentRules: { row: RULES } },
		...toForm({ enote: ENOTE, loan_number: `enote${process.pid}${++count}` }),
	});
	const { json } = await run(parameters, await files('1'));
	sandbox.requests.length = 0;
	return String(json.transaction_id);
}
const replace = async (id: string, more: string) => {
	sandbox.requests.length = 0;
	const { error } = await attempt(replacing(id, { enote: ENOTE }), await files(more));
	return { said: error && `${error.message}. ${error.description}`, writes: writes() };
};
const text = (id: string) => String(ownDocuments(id).find(({ isEnote }) => isEnote)?.note);

test('is replaced after the recall, and the same one is not', async () => {
	const id = await makeClosing();
	const done = await replace(id, '2');
	expect([done.said, done.writes]).toEqual([
		undefined,
		[
			'POST /transactions/ID/recall',
			'DELETE /transactions/ID/enote',
			'POST /transactions/ID/enote',
			'POST /transactions/ID/place_order',
		],
	]);
	expect(text(id)).toContain('<!--2-->');
	expect((await replace(id, '2')).writes).toEqual([]);
});

test('that the service refuses is told, and added by the next run', async () => {
	const id = await makeClosing();
	sandbox.faults.add({ method: 'POST', path: /enote/, status: 422, body: { errors: ['No'] } });
	const done = await replace(id, '2');
	expect(done.said).toContain('has no eNote now');
	expect([names(id), transaction(id).status]).toEqual([['Deed'], 'started']);
	const again = await replace(id, '2');
	expect([again.said, again.writes]).toEqual([
		undefined,
		['POST /transactions/ID/enote', 'POST /transactions/ID/place_order'],
	]);
	expect(text(id)).toContain('<!--2-->');
});

test("that the service doesn't give stops a Send", async () => {
	const id = await makeClosing();
	const enote = ownDocuments(id).find(({ isEnote }) => isEnote)!;
	const path = new RegExp(`documents/${enote.id}$`);
	sandbox.faults.add({ method: 'GET', path, status: 403, body: {}, times: Infinity });
	sandbox.requests.length = 0;
	const files = { 'Deed.pdf': '%new deed', 'note.xml': await note('1') };
	const { error } = await attempt(replacing(id, { enote: ENOTE }), await withFiles(files));
	expect(error?.description).toContain("The service doesn't show whether the eNote of");
	expect(writes()).toEqual([]);
});

test("that can't be used stops everything before the recall", async () => {
	const id = await makeClosing();
	const broken = await withFiles({ 'Deed.pdf': '%new', 'note.xml': 'no XML' });
	const { error } = await attempt(replacing(id, { enote: ENOTE }), broken);
	expect(error?.message).toContain("isn't an XML file");
	expect(writes()).toEqual([]);
});
