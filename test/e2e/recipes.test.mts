import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

import { Editor } from '../../host/clients/editor.mts';
import { readExample } from '../../host/demo/exampleWorkflows.mts';
import {
	bodyOf,
	OFFICE_MAIL,
	startMailbox,
	TEAM_MAIL,
	type Mailbox,
} from '../../host/mailbox/mailbox.mts';
import { makeOpenClosings } from '../../host/demo/openClosings.mts';
import { CREATED, fillInBorrower, fillInSheet, SENT, submit } from '../../host/pictures/forms.mts';
import { ROOT } from '../../scripts/runtime.mjs';
import { until } from '../support/until.mts';
import { startHost, type Host } from './support/host.mts';
import { describeInBrowser } from './support/inBrowser.mts';
import { Reader } from './support/reader.mts';
import { readSteps } from './support/steps.mts';

/** The recipes of docs/recipes.md, done to the letter in the editor, by clicks alone. */

const PAGE = readFileSync(join(ROOT, 'docs', 'recipes.md'), 'utf8');
const EXAMPLES = [...PAGE.matchAll(/\.\.\/examples\/([\w-]+)\.json/g)].map(([, name]) => name);

let host: Host;
let mailbox: Mailbox;
beforeAll(async () => {
	host = await startHost({ editor: true });
	mkdirSync(host.folder, { recursive: true });
	mailbox = await startMailbox();
	await mailbox.saveCredentials(host.api);
});
afterAll(async () => {
	await host?.stop();
	await mailbox?.close();
});

/** Fills in the form of a loan's papers. */
async function fillInPapers(form: Page): Promise<void> {
	const values = {
		'Loan Number': '7001500',
		'Borrower First Name': 'Jane',
		'Borrower Last Name': 'Borrower',
		'Borrower Email': 'jane.borrower@example.com',
		'Property Street': '100 Harbor Street',
		'Property City': 'Boston',
		'Property State': 'MA',
		'Property Zip': '02110',
	};
	for (const [label, value] of Object.entries(values)) await form.getByLabel(label).fill(value);
	const names = ['deed-of-trust', 'borrower-affidavit', 'closing-disclosure'];
	for (const [index, name] of names.entries()) {
		const paper = await fetch(`${host.sandbox.url}/samples/${name}.pdf`);
		const file = {
			name: `${name}.pdf`,
			mimeType: 'application/pdf',
			buffer: Buffer.from(await paper.arrayBuffer()),
		};
		await form.locator('input[type="file"]').nth(index).setInputFiles(file);
	}
}

/**
 * Follows a recipe.
 * @param useForm fills in and submits a form that an execution opens
 * @returns the closings that it made
 */
async function follow(heading: string, useForm?: (form: Page) => Promise<void>) {
	const before = new Set(host.sandbox.world.transactions.keys());
	const values = { sandboxUrl: host.sandbox.url, archiveFolder: host.folder };
	const editor = await Editor.open(host.n8n.url);
	const examples = EXAMPLES.map((name) => [name, JSON.stringify(readExample(name, values, {}))]);
	const reader = new Reader(editor, host.api.executions, {
		...Object.fromEntries(examples),
		'From Email': OFFICE_MAIL,
		'To Email': TEAM_MAIL,
	});
	try {
		for (const step of readSteps(PAGE, heading)) {
			const opened = /\bform that opens|opens the form\b/.test(step.text)
				? editor.page.waitForEvent('popup')
				: undefined;
			await reader.follow(step);
			const form = await opened;
			if (form !== undefined) await useForm!(form);
		}
		expect(editor.pageErrors).toEqual([]);
	} finally {
		await editor.close();
	}
	return () => [...host.sandbox.world.transactions.values()].filter(({ id }) => !before.has(id));
}

describeInBrowser('a recipe ends green', () => {
	test("a loan's PDFs are sent to its borrower", async () => {
		const made = await follow("... send a loan's PDFs to its borrower?");
		const [checked, sent] = made();
		expect([checked.status, sent.status]).toEqual(['started', expect.stringMatching(/^sent/)]);
	});

	test("a loan's PDFs from a form are checked, and sent by the second submission", async () => {
		const titles = ['Nothing is sent yet', SENT];
		const made = await follow("... send a loan's PDFs from a form?", async (form) => {
			await fillInPapers(form);
			await submit(form, titles.shift()!);
		});
		await until(() => made()[0]?.status.startsWith('sent'));
		expect(made()).toHaveLength(1);
		expect(made()[0].documents.filter(({ isConsentForm }) => !isConsentForm)).toHaveLength(3);
	});

	test('a PDF from a form is sent', async () => {
		const made = await follow('... send a PDF from a form?', async (form) => {
			await fillInBorrower(form, host.sandbox);
			await submit(form, SENT);
		});
		await until(() => made()[0]?.status.startsWith('sent'));
		const added = made()[0].documents.filter(({ isConsentForm }) => !isConsentForm);
		expect(added).toHaveLength(1);
	});

	test('the rows of a sheet become closings', async () => {
		const made = await follow('... make closings of a sheet?', async (form) => {
			await fillInSheet(form);
			await submit(form, CREATED);
		});
		await until(() => made().length === 3);
	});

	test("an email says who hasn't signed", async () => {
		await makeOpenClosings(host.sandbox);
		await follow("... get an email about who hasn't signed?");
		await until(() => mailbox.emails.length > 0);
		expect(mailbox.emails[0]).toContain(TEAM_MAIL);
		expect(bodyOf(mailbox.emails[0])).toContain('Okafor');
	});
});
