import type { Page } from 'playwright-core';

import type { Sandbox } from '../../sandbox/index.mts';
import type { Editor } from '../clients/editor.mts';

/**
 * Pictures of the examples that begin with n8n's own form, used as a person uses them: in the
 * editor, with a file that is uploaded.
 */

const FORM_VIEWPORT = { width: 760, height: 1180 };
const BORROWER = {
	'Loan Number': '7001234',
	'First Name': 'Jane',
	'Last Name': 'Borrower',
	Email: 'jane.borrower@example.com',
	Street: '100 Harbor Street',
	City: 'Boston',
	State: 'MA',
	Zip: '02110',
};
const SHEET = [
	'Loan #,Borrower First Name,Borrower Last Name,Borrower E-Mail,Property Address,City,State,Zip',
	'7006001,Ann,Lee,ann.lee@example.com,1 Elm Street,Boston,MA,02110',
	'7006002,Bob,Ray,bob.ray@example.com,2 Elm Street,Springfield,MA,01103',
	'7006003,Cy,Fox,cy.fox@example.com,3 Elm Street,Worcester,MA,01608',
].join('\n');

/** Executes from this trigger, which opens its form. @returns the form's page */
export async function openForm(editor: Editor, trigger: string): Promise<Page> {
	const opened = editor.page.waitForEvent('popup');
	await editor.executeFrom(trigger);
	const form = await opened;
	await form.setViewportSize(FORM_VIEWPORT);
	await form.locator('form').waitFor();
	return form;
}

/** The titles of the last pages, where all went well. */
export const SENT = 'The closing was sent';
export const CREATED = 'The closings are there';

/** Waits until n8n has answered what a page of a form sends of itself, or when it's submitted. */
const waitForAnswer = async (form: Page) =>
	await form.waitForResponse(
		(response) => response.request().method() === 'POST' && /form-waiting/.test(response.url()),
	);

/** Submits a form. @param title of its last page */
export async function submit(form: Page, title: string): Promise<void> {
	// The last page ends the execution. Closed before, it would leave it waiting.
	const ended = waitForAnswer(form);
	await form.locator('#submit-btn').click();
	await form.getByText(title).waitFor();
	await ended;
	await form.close();
}

/** Submits a form whose second page asks for a choice, and makes it. @param title of its last page */
export async function submitWithChoice(
	form: Page,
	choice: string,
	title: string,
	seen: () => Promise<unknown>,
): Promise<void> {
	await form.locator('#submit-btn').click();
	await form.locator('select').selectOption(choice);
	await seen();
	const answered = waitForAnswer(form);
	await form.locator('#submit-btn').click();
	await answered;
	await waitForAnswer(form);
	await form.getByText(title).waitFor();
	await form.close();
}

/** Fills in the form of a borrower and the deed. */
export async function fillInBorrower(form: Page, sandbox: Sandbox): Promise<void> {
	const deed = await fetch(`${sandbox.url}/samples/deed-of-trust.pdf`);
	const buffer = Buffer.from(await deed.arrayBuffer());
	for (const [label, value] of Object.entries(BORROWER))
		await form.getByLabel(label, { exact: true }).fill(value);
	await form
		.locator('input[type="file"]')
		.setInputFiles({ name: 'deed-of-trust.pdf', mimeType: 'application/pdf', buffer });
}

/** Chooses a sheet of three loans in a form. */
export async function fillInSheet(form: Page): Promise<void> {
	await form
		.locator('input[type="file"]')
		.setInputFiles({ name: 'loans.csv', mimeType: 'text/csv', buffer: Buffer.from(SHEET) });
}

/** A PDF of a form is added to its closing, and sent. */
export async function takeFormToSigning(
	editor: Editor,
	sandbox: Sandbox,
	workflowId: string,
	image: (name: string) => string,
): Promise<void> {
	await editor.openWorkflow(workflowId);
	const form = await openForm(editor, 'On form submission');
	await fillInBorrower(form, sandbox);
	await form.screenshot({ path: image('form-to-signing-form') });
	await submit(form, SENT);
	await editor.waitForSuccess(5);
	await editor.screenshot(image('form-to-signing'));
}

/** The rows of a CSV file become closings. */
export async function takeSheet(
	editor: Editor,
	workflowId: string,
	image: (name: string) => string,
): Promise<void> {
	await editor.openWorkflow(workflowId);
	const form = await openForm(editor, 'Upload a sheet');
	await fillInSheet(form);
	await submit(form, CREATED);
	await editor.waitForSuccess(5);
	await editor.screenshot(image('closings-from-a-sheet'));
}
