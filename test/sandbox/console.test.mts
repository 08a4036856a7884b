/** The pages of a document in the console, as a person sees them. */

import { expect, test } from 'vitest';

import { withPage } from '../../host/clients/browser.mts';
import { B, newDraft } from './support/client.mts';
import { client, sandbox, useSandbox } from './support/useSandbox.mts';
import { testInBrowser } from '../e2e/support/inBrowser.mts';

useSandbox({ processingMs: 0 });

/** A draft with a tagged deed. @returns its id and the document's */
async function addDeed(name: string): Promise<[transaction: string, document: string]> {
	const signers = [{ email: 'kim@example.com', external_id: 'borrower-1' }];
	const id = await newDraft(client, { signers });
	const { id: document } = await client.ok('POST', `${B}/${id}/documents`, {
		resource: `${sandbox.url}/samples/deed-of-trust-tagged.pdf`,
		requirement: 'notarization',
		text_tag_syntax: 'standard',
		filename: name,
	});
	return [id, document];
}

test('a document with its designations, and pdf.js alone of what is beside it', async () => {
	const [id, document] = await addDeed('Deed');
	const get = async (path: string) => await fetch(sandbox.url + path);
	const shown = await (await get(`/sandbox/transactions/${id}/documents/${document}`)).json();
	expect(shown).toMatchObject({ name: 'Deed', pdf: expect.stringMatching(/^JVBERi/) });
	expect((shown as any).designations).toHaveLength(4);
	const pdfjs = '/console/pdfjs/legacy/build';
	expect((await get(`${pdfjs}/pdf.min.mjs`)).headers.get('content-type')).toMatch(/javascript/);
	for (const path of [
		`/sandbox/transactions/${id}/documents/other`,
		`/sandbox/transactions/other/documents/${document}`,
		`${pdfjs}/..%2f..%2fpackage.json`,
	])
		expect([path, (await get(path)).status]).toEqual([path, 404]);
});

testInBrowser('each page has boxes where its designations are', async () => {
	const name = '<b onclick="x">Deed</b>';
	await addDeed(name);
	await withPage(async (page) => {
		await page.goto(`${sandbox.url}/console`);
		await page.getByRole('button', { name: `Where to sign: ${name}` }).click();
		const dialog = page.getByRole('dialog', { name: `Where to sign: ${name}` });
		const second = dialog.getByRole('figure', { name: 'Page 2' });
		await second.waitFor();
		expect(await dialog.getByRole('img').count()).toBe(4);
		expect(await dialog.getByRole('figure', { name: 'Page 1' }).getByRole('img').count()).toBe(0);
		const sheet = (await second.locator('canvas').boundingBox())!;
		const box = (await second.getByRole('img', { name: 'seal of notary' }).boundingBox())!;
		const scale = sheet.width / 612;
		for (const [side, points] of [
			[box.x - sheet.x, 320],
			[sheet.y + sheet.height - box.y - box.height, 90],
			[box.width, 160],
			[box.height, 48],
		])
			expect(Math.abs(side / scale - points)).toBeLessThan(1.5);
		// Ink of the label below the signature's line, and none beside it.
		const inkAt = async (x: number, y: number, width: number, height: number) =>
			await second.locator('canvas').evaluate(
				(canvas: any, [left, bottom, wide, high]) => {
					const points = canvas.width / 612;
					const { data } = canvas
						.getContext('2d')
						.getImageData(
							left * points,
							(792 - bottom - high) * points,
							wide * points,
							high * points,
						);
					return data.filter((value: number, at: number) => at % 4 === 0 && value < 128).length;
				},
				[x, y, width, height],
			);
		expect(await inkAt(72, 164, 80, 8)).toBeGreaterThan(50);
		expect(await inkAt(180, 164, 80, 8)).toBe(0);
		await dialog.getByRole('button', { name: 'Close' }).click();
		await dialog.waitFor({ state: 'hidden' });
	});
});
