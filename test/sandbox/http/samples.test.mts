/** The sample papers, as a person and a workflow take them. */

import { readPages } from '../../../nodes/SignAndClose/pdf/pages.ts';
import { SAMPLE_PAPERS } from '../../../sandbox/data/samples.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();

const pause = async () => await Promise.resolve();

test('the list has a link to each paper, which is a PDF, and to the eNote', async () => {
	const page = await (await fetch(`${sandbox.url}/samples`)).text();
	const links = [...page.matchAll(/href="(http[^"]+)"/g)].map(([, link]) => link);
	expect(links).toEqual(
		[...SAMPLE_PAPERS.map(({ name }) => `${name}.pdf`), 'enote.xml'].map(
			(name) => `${sandbox.url}/samples/${name}`,
		),
	);
	await forEachCase(links, async (link) => {
		const response = await fetch(link);
		expect(response.status).toBe(200);
		if (!link.endsWith('.xml')) expect((await response.text()).startsWith('%PDF-')).toBe(true);
	});
});

test('every paper but the scan has a line for the borrower that can be found by its text', async () => {
	await forEachCase(SAMPLE_PAPERS, async ({ name }) => {
		const bytes = await (await fetch(`${sandbox.url}/samples/${name}.pdf`)).arrayBuffer();
		const reading = await readPages(Buffer.from(bytes), pause);
		const { kind, runs } = ('pages' in reading ? reading.pages : []).at(-1)!;
		const found = runs
			.flatMap(({ texts }) => texts)
			.join('')
			.includes('Borrower Signature');
		const isScan = name.startsWith('scanned');
		expect([kind, found]).toEqual([isScan ? 'picture' : 'text', !isScan]);
	});
});
