import { describeNextSteps } from '../../../host/demo/addresses.mts';
import { exampleNames } from '../../../host/demo/setUpDemo.mts';
import type { StoredWorkflow } from '../../../host/clients/n8n/types.mts';

test('the end of `npm start` names what to open for each job, all examples, papers and mails', () => {
	const examples = Object.fromEntries(
		exampleNames().map((name) => [name, { id: `id-of-${name}`, name } as StoredWorkflow]),
	);
	const lines = describeNextSteps({
		editorUrl: 'http://editor',
		sandbox: { url: 'http://sandbox', keys: { full: 'the-key' } as never },
		mailboxUrl: 'http://mailbox',
		papersFolder: '/papers',
		demo: { examples, archiveFolder: '/archive' },
	});
	const places = lines.flatMap((line) => /^ {2}(.+?) {2,}(\S+)$/.exec(line)?.slice(1, 3) ?? []);
	expect(places).toEqual(
		expect.arrayContaining([
			...['refinance-closing', 'joint-borrowers', 'new-papers', 'closings-from-a-sheet'].map(
				(name) => `http://editor/workflow/id-of-${name}`,
			),
			`All ${exampleNames().length} examples`,
			'http://editor/home/workflows',
			'http://sandbox/console',
			'http://sandbox/samples',
			'http://mailbox',
			'/papers',
			'/archive',
			'the-key',
		]),
	);
	expect(lines.length).toBeLessThan(22);
	expect(lines.filter((line) => line.length > 100)).toEqual([]);
});
