import { withPage } from '../../host/clients/browser.mts';
import { failureReason, outputItems } from '../../host/clients/n8n/executionData.mts';
import { startMailbox, type Mailbox } from '../../host/mailbox/mailbox.mts';
import { startHost, type Host } from './support/host.mts';
import { testInBrowser } from './support/inBrowser.mts';

/** The mailbox of `npm start`, as n8n's own mail nodes and a person use it. */

let host: Host;
let mailbox: Mailbox;
beforeAll(async () => {
	mailbox = await startMailbox();
	host = await startHost();
});
afterAll(async () => {
	await host?.stop();
	await mailbox?.close();
});

const MAIL = {
	from: 'Zoë <zoe@example.com>',
	subject: 'Loan 7001234 für Müller',
	text: 'Zwei Papiere:\r\nsiehe unten.',
	papers: ['Deed of Trust.pdf', 'Note.pdf'],
};

test.each(['simple', 'resolved'])(
	'a mail to the office starts a workflow, with its files (format %s)',
	async (format) => {
		const { imap } = await mailbox.saveCredentials(host.api);
		const { id } = await host.api.workflows.save({
			name: `Mail in, ${format}`,
			nodes: [
				{
					id: 'mail',
					name: 'Email Trigger',
					type: 'n8n-nodes-base.emailReadImap',
					typeVersion: 2.2,
					position: [0, 0],
					parameters: {
						format,
						downloadAttachments: true,
						dataPropertyAttachmentsPrefixName: 'paper_',
					},
					credentials: { imap },
				},
			],
			connections: {},
		});
		await host.api.workflows.publish(id);
		await mailbox.write(MAIL);
		const [execution] = await host.api.executions.waitForFinished(id, 1);
		await host.api.workflows.unpublish(id);
		expect(failureReason(execution)).toBe('');
		const [{ json, binary = {} }] = outputItems(execution, 'Email Trigger');
		expect(JSON.stringify(json)).toContain('Zwei Papiere');
		expect(
			Object.entries(binary).map(([name, { fileName, mimeType }]) => [name, fileName, mimeType]),
		).toEqual([
			['paper_0', 'Deed of Trust.pdf', 'application/pdf'],
			['paper_1', 'Note.pdf', 'application/pdf'],
		]);
	},
);

testInBrowser('the page shows what came and went, and writes to the office', async () => {
	await withPage(async (page) => {
		await page.goto(mailbox.url);
		await page.getByLabel('Subject').fill('Loan 7009999');
		await page.getByLabel('Borrower Affidavit.pdf').check();
		await page.getByRole('button', { name: 'Send to the office' }).click();
		const card = page.getByRole('article').filter({ hasText: 'Loan 7009999' });
		await card.getByText('Borrower Affidavit.pdf').waitFor();
		await card.getByText('not taken yet').waitFor();
		const written = await card.getByRole('time').textContent();
		expect(Math.abs(Date.now() - Date.parse(written!))).toBeLessThan(600_000);
	});
});
