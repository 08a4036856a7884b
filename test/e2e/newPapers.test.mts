import { failureReason, outputJson } from '../../host/clients/n8n/executionData.mts';
import { readExample } from '../../host/demo/exampleWorkflows.mts';
import { submitForm } from './support/forms.mts';
import { startHost, type Host } from './support/host.mts';

/** The example that replaces papers of a sent closing after a person has approved the plan. */

let host: Host;
let papers: string;
let id: string;
const LOAN = '70011';
beforeAll(async () => {
	host = await startHost();
	const places = { sandboxUrl: host.sandbox.url, archiveFolder: host.folder };
	const save = async (name: string) =>
		(await host.api.workflows.save(readExample(name, places, { ...host.credentials }))).id;
	papers = await save('new-papers');
	const sent = await host.api.executions.runToEnd(await save('refinance-closing'));
	expect(failureReason(sent)).toBe('');
	id = String(outputJson(sent, 'Create and send closing')[0].transaction_id);
});
afterAll(async () => await host?.stop());

/** Submits the form, and answers what would be replaced. */
async function submitPapers(names: string[], answer?: string, loan = LOAN) {
	const files = names.map(async (name) => {
		const pdf = await fetch(`${host.sandbox.url}/samples/${name}.pdf`);
		return new File([await pdf.arrayBuffer()], `${name}.pdf`, { type: 'application/pdf' });
	});
	host.sandbox.requests.length = 0;
	const run = await submitForm(host, papers, [loan, await Promise.all(files)], { answer });
	const writes = host.sandbox.requests.filter(({ method }) => method !== 'GET');
	return { ...run, writes: writes.map(({ method, path }) => `${method} ${path.split('/')[4]}`) };
}

const listDocuments = () =>
	host.sandbox.world.transactions
		.get(id)!
		.documents.map((document) => [document.id, document.name, document.designations.length]);

const NEW = ['new-deed-of-trust', 'new-closing-disclosure'];

test('nothing is changed without an approval', async () => {
	const before = listDocuments();
	const { secondPage, lastPage, writes } = await submitPapers(NEW, 'Change nothing');
	expect(secondPage).toMatch(
		/Replace:\n(?:[\w-]+ by new-[\w-]+\.pdf\n){2}\nNot changed:\n\w[^\n]*\n\nThen:\nSend it to Jane/,
	);
	expect(secondPage).not.toMatch(/do_\w/);
	expect(lastPage).toMatch(/weren(?:'|&#x27;|&#39;)t sent<[^]*You chose to change nothing/);
	expect([writes, listDocuments()]).toEqual([[], before]);
});
test('with an approval, two of its papers are replaced, and it is sent again', async () => {
	const before = listDocuments();
	const { lastPage } = await submitPapers(NEW, 'Replace and send');
	expect(lastPage).toMatch(/The new papers were sent<[^]*: replaced/);
	const after = listDocuments();
	expect(host.sandbox.world.transactions.get(id)!.status).toBe('sent');
	const isKept = ([one]: (typeof before)[0]) => after.some(([other]) => other === one);
	expect(before.filter((document) => !isKept(document)).map(([, name]) => name)).toEqual(
		expect.arrayContaining([expect.stringMatching(/deed/i), expect.stringMatching(/disclosure/i)]),
	);
	expect(after.map(([, ...kept]) => kept).sort()).toEqual(before.map(([, ...kept]) => kept).sort());
	const { lastPage: again, writes } = await submitPapers(NEW);
	expect(again).toMatch(/Nothing to replace<[^]*The closing has these papers already/);
	expect(writes).toEqual([]);
});
test('the last page says why nothing can be replaced', async () => {
	const unknown = await submitPapers(NEW, undefined, '0000001');
	expect(unknown.lastPage).toMatch(/No open closing has the loan number 0000001/);
	const stranger = await submitPapers(['borrower-affidavit', 'note']);
	expect(stranger.lastPage).toMatch(/No rule names note\.pdf\. Add a rule or set[^]*Show the plan/);
	expect(stranger.writes).toEqual([]);
	const { transactions } = host.sandbox.world;
	const closing = transactions.get(id)!;
	transactions.set('ot_twin', { ...structuredClone(closing), id: 'ot_twin' });
	const twice = await submitPapers(NEW);
	transactions.delete('ot_twin');
	expect(twice.lastPage).toMatch(
		/2 open closings have the loan number 70011: Refinance, Jane[^<]*\(ot_twin\)[^<]*Transaction: Replace Documents/,
	);
});
