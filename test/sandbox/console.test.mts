/** The pages of a document in the console, as a person sees them. */

import { withPage } from '../../host/clients/browser.mts';
import { B, newDraft } from './support/client.mts';
import { client, sandbox, useSandbox } from './support/useSandbox.mts';
import { describeInBrowser, testInBrowser } from '../e2e/support/inBrowser.mts';
import { forEachCase } from '../support/forEachCase.mts';

useSandbox({ processingMs: 0 });

/** A draft with a tagged deed. @returns its id and the document's */
async function addDeed(
	name: string,
	fields: object = {},
): Promise<[transaction: string, document: string]> {
	const signers = [{ email: 'kim@example.com', external_id: 'borrower-1' }];
	const id = await newDraft(client, { signers });
	const { id: document } = await client.ok('POST', `${B}/${id}/documents`, {
		resource: `${sandbox.url}/samples/deed-of-trust-tagged.pdf`,
		requirement: 'notarization',
		text_tag_syntax: 'standard',
		filename: name,
		...fields,
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

test('documents stand in their order, whenever they were added', async () => {
	const [id] = await addDeed('Deed', { bundle_position: 1 });
	const resource = `${sandbox.url}/samples/deed-of-trust-tagged.pdf`;
	const note = { resource, filename: 'Note', bundle_position: 0 };
	await client.ok('POST', `${B}/${id}/documents`, note);
	const { transactions } = (await (await fetch(`${sandbox.url}/sandbox/state`)).json()) as any;
	const { documents } = transactions.find((transaction: any) => transaction.id === id);
	expect(documents.map(({ name }: any) => name)).toEqual(['Note', 'Deed']);
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
		forEachCase(
			[
				[box.x - sheet.x, 320],
				[sheet.y + sheet.height - box.y - box.height, 90],
				[box.width, 160],
				[box.height, 48],
			],
			([side, points]) => expect(Math.abs(side / scale - points)).toBeLessThan(1.5),
		);
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

testInBrowser('the heading counts what a search shows', async () => {
	for (const name of ['Deed', 'Mortgage']) await newDraft(client, { transaction_name: name });
	await withPage(async (page) => {
		await page.goto(`${sandbox.url}/console`);
		const heading = page.getByRole('heading', { name: /^Transactions \d+$/ });
		await heading.waitFor();
		const [, count] = /(\d+)\s*$/.exec((await heading.textContent()) ?? '') ?? [];
		await page.locator('#filter').fill('Mortgage');
		await page.getByRole('heading', { name: `Transactions 1 of ${count}`, exact: true }).waitFor();
	});
});

describeInBrowser('what is refused', () => {
	test('is said where somebody has clicked, until the next click there', async () => {
		// The one that was created first is the last on the page.
		const [id] = await addDeed('Deed');
		for (let count = 0; count < 4; count++) await addDeed(`Deed ${count}`);
		await client.ok('POST', `${B}/${id}/notarization_ready`);
		await withPage(async (page) => {
			const refusal = { status: 409, json: { message: 'Somebody else was faster' } };
			await page.route(`**/${id}/sign`, async (route) => await route.fulfill(refusal), {
				times: 1,
			});
			await page.goto(`${sandbox.url}/console`);
			const card = page.getByRole('article').filter({ hasText: id });
			const button = card.getByRole('button', { name: 'Signer signs', exact: true });
			await button.click();
			const said = card.getByRole('alert').getByText('Somebody else was faster');
			await said.waitFor();
			const [above, below] = [(await button.boundingBox())!, (await said.boundingBox())!];
			expect(below.y - above.y).toBeLessThan(80);
			expect(below.y + below.height).toBeLessThan(page.viewportSize()!.height);
			// What changes elsewhere on the page doesn't take it away.
			await sandbox.act.openEmail(id);
			await card.getByText('in progress').waitFor();
			expect(await said.isVisible()).toBe(true);
			await button.click();
			await said.waitFor({ state: 'detached' });
		});
	});
	test('of the whole page is said in its header, which stays in sight', async () => {
		for (let count = 0; count < 6; count++) await addDeed(`Deed ${count}`);
		await withPage(async (page) => {
			await page.goto(`${sandbox.url}/console`);
			await page.getByRole('article').last().scrollIntoViewIfNeeded();
			const refusal = { status: 409, json: { message: 'There are enough notaries' } };
			await page.route('**/sandbox/notaries', async (route) => await route.fulfill(refusal));
			await page.getByRole('button', { name: 'Add notary' }).dispatchEvent('click');
			const said = page.getByRole('banner').getByText('There are enough notaries');
			await said.waitFor();
			const { y, height } = (await said.boundingBox())!;
			expect([y >= 0, y + height <= page.viewportSize()!.height]).toEqual([true, true]);
		});
	});
});

testInBrowser(
	'a card names its state, its organization and its places to sign in words',
	async () => {
		const [id] = await addDeed('Deed');
		await withPage(async (page) => {
			await page.goto(`${sandbox.url}/console`);
			const card = page.getByRole('article').filter({ hasText: id });
			await card.getByText('4 places to sign').waitFor();
			const shown = await card.innerText();
			expect(shown).toContain('Harbor Lending');
			expect(shown).not.toMatch(/started|designation|or_harbor/);
			expect(await page.getByRole('banner').innerText()).not.toContain('profile');
		});
	},
);

testInBrowser('a webhook shows its path and since when it is there', async () => {
	await client.ok('POST', '/v2/webhooks', {
		url: 'https://n8n.example.com/webhook/0a1b2c3d/events?secret=sesame',
		subscriptions: ['transaction.completed'],
	});
	await withPage(async (page) => {
		await page.goto(`${sandbox.url}/console`);
		const row = page.getByRole('region', { name: 'Webhooks' }).getByRole('listitem');
		await row.getByText('/webhook/0a1b2c3d/events', { exact: true }).waitFor();
		const shown = await row.innerText();
		expect(shown).toMatch(/n8n\.example\.com/);
		expect(shown).not.toMatch(/sesame/);
		const [webhook] = sandbox.world.webhooks.values();
		expect(shown).toContain(`registered ${webhook.created.slice(0, 19).replace('T', ' ')}`);
	});
});
