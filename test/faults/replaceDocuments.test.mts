import { useBinaryMode } from '../support/engine.mts';
import type { Fault, Platform } from '../support/faultService/types.mts';
import type { TransactionRecord } from '../support/faultService/world.mts';
import { NewPapers, textOf } from './newPapers.mts';

/** Somebody else at work at a transaction that gets new papers. The service's ledger judges. */

await useBinaryMode('filesystem');

const SECOND_MS = 10;
const PLATFORMS = ['realEstate', 'business'] as const;

/** Runs a task with a sent transaction. */
async function withSent(platform: Platform, task: (papers: NewPapers) => Promise<void>) {
	const papers = await NewPapers.make('sent', platform, SECOND_MS);
	try {
		await task(papers);
	} finally {
		await papers.service.close();
	}
}

/** Somebody does something right before a write. */
function interfere({ service, old }: NewPapers, method: string, path: RegExp, act: Act) {
	let isDone = false;
	const appliesTo: Fault['appliesTo'] = (target) => {
		if (!isDone && target.method === method && path.test(target.path)) {
			isDone = true;
			act(old);
		}
		return false;
	};
	service.inject({ fault: { appliesTo } as Fault });
}
type Act = (transaction: TransactionRecord) => void;

test.each(PLATFORMS)('%s: a signer completes between look and recall', async (platform) => {
	await withSent(platform, async (papers) => {
		const { service, old } = papers;
		interfere(papers, 'POST', /recall/, () => service.complete(old.id));
		const done = await papers.run();
		expect(textOf(done)).toMatch(/has signed \w+ already. Create a new transaction for/);
		expect(textOf(done)).not.toContain('Run the workflow again');
		expect([service.effects, old.status]).toEqual([[], 'completed']);
		expect(textOf(await papers.run())).toContain('Create a new transaction for');
	});
});

const BEFORE = {
	'the first upload': ['POST', /documents$/],
	'a deletion': ['DELETE', /documents/],
};
const EDITS: Record<string, Act> = {
	'changes a signer': ({ signers }) => Object.assign(signers[0], { email: 'else@example.com' }),
	'adds a signer': ({ signers }) =>
		void signers.push({
			...signers[0],
			signer_id: 'oc_else',
			external_id: 'else',
			email: 'else@example.com',
		}),
	'changes a document': ({ documents }) =>
		Object.assign(
			documents.find(({ name }) => name === 'Deed')!,
			{ name: 'New Deed' },
		),
	'deletes a document': ({ documents }) =>
		void documents.splice(
			documents.findIndex(({ name }) => name === 'Deed'),
			1,
		),
	'adds a document': ({ documents }) =>
		void documents.push({ ...documents.at(-1)!, id: 'do_by-hand', name: 'Rider', fields: {} }),
};
const edits = PLATFORMS.flatMap((platform) =>
	Object.entries(BEFORE).flatMap(([moment, [method, path]]) =>
		Object.keys(EDITS).map((edit) => ({ platform, moment, edit, method, path })),
	),
);
test.each(edits)('$platform: a person $edit before $moment: it is not sent', async (cell) => {
	await withSent(cell.platform, async (papers) => {
		interfere(papers, cell.method as string, cell.path as RegExp, EDITS[cell.edit]);
		const said = textOf(await papers.run());
		expect(said).toContain('The draft was changed while the item was under way');
		expect(said).toContain("was recalled, and nobody can sign it until it's sent");
		expect(papers.service.effects.filter(({ kind }) => kind === 'transaction.sent')).toEqual([]);
		expect(await papers.listUnsaid()).toEqual([]);
	});
});

const SENT = { status: 'sent', detailedStatus: 'sent_to_signer' };
test.each(PLATFORMS)(
	'%s: something else sends it meanwhile: the message says so',
	async (platform) => {
		await withSent(platform, async (papers) => {
			interfere(papers, 'POST', /documents$/, (old) => Object.assign(old, SENT));
			const said = textOf(await papers.run());
			expect(said).toContain(
				"was recalled, and something else has changed that since: it's sent to",
			);
			expect(said).not.toContain("nobody can sign it until it's sent");
		});
	},
);
