import type { Locator, Page } from 'playwright-core';

import type { Editor } from '../../../host/clients/editor.mts';
import { failureReason } from '../../../host/clients/n8n/executionData.mts';
import type { Executions } from '../../../host/clients/n8n/executions.mts';
import { waitUntil } from '../../../host/run/patience.mts';
import type { Mark, Step } from './steps.mts';

/**
 * Somebody who does in the editor what steps say, by clicks and keys, and who knows no more than their
 * marked words. A name that the editor doesn't show ends it.
 */

/** What steps tell to do. The last one before a name counts. */
const VERBS = /\b(add|choose|set|enter|select|open|under|replace|delete|with)\b/gi;
/** Between two names, these words go on with what was told. Other words only mention the second one. */
const GOES_ON = /^[\s,;>]*(and|or)?[\s,]*((again|the|your|its|its own) ?)*$/i;

/** What stands between a field and what is entered or chosen there. */
const ANSWERS = /^(with|to|, such as)?$/;

/** How long entries of a list move. After that, they're looked for again. */
const MOVING_MS = 2000;

const testId = (id: string) => `[data-test-id="${id}"]`;
/** A label's text is followed by the buttons for an expression. */
const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const labelled = (text: string) =>
	new RegExp(`^\\s*${escape(text)}\\s*\\*?\\s*(Fixed\\s*Expression)?\\s*$`);

export class Reader {
	readonly #editor: Editor;
	readonly #executions: Executions;
	readonly #known: Record<string, string>;
	readonly #page: Page;
	#verb = '';
	/** The collection whose fields are added, or the open form. */
	#group: Locator | undefined;

	/** @param known what a person has beside the steps: values of fields, addresses of pages */
	constructor(editor: Editor, executions: Executions, known: Record<string, string>) {
		this.#editor = editor;
		this.#executions = executions;
		this.#known = known;
		this.#page = editor.page;
	}

	/** Does what a step says. */
	async follow({ number, text, marks }: Step): Promise<void> {
		this.#verb = '';
		this.#group = undefined;
		if (/\b(create a|in a second) workflow\b/i.test(text))
			await this.#page.goto(`${this.#editor.url}/workflow/new`);
		for (const [index, mark] of marks.entries()) {
			if (mark.kind === 'example') await this.#import(mark.text);
			if (mark.kind !== 'name') continue;
			const verbs = mark.before.match(VERBS);
			if (verbs !== null) this.#verb = verbs.at(-1)!.toLowerCase();
			else if (!GOES_ON.test(mark.before)) this.#verb = '';
			const next = marks[index + 1];
			const isAnswered = next !== undefined && next.kind !== 'name' && ANSWERS.test(next.before);
			const answer = isAnswered ? next.text : this.#known[mark.text];
			try {
				await this.#do(mark, answer);
			} catch (error) {
				const what = `${this.#verb} ${mark.text}${answer ? ` ${answer}` : ''}`;
				throw new Error(`Step ${number}, ${what}: ${(error as Error).message}`);
			}
		}
	}

	async #do({ text, before }: Mark, answer: string | undefined): Promise<void> {
		if (before.endsWith('>')) return await this.#clickItem(text);
		switch (this.#verb) {
			case '':
			case 'with':
				return;
			case 'replace':
				return await this.#editor.node(text).first().waitFor();
			case 'delete':
				await this.#editor.node(text).click();
				return await this.#page.keyboard.press('Delete');
			case 'under':
				this.#group = await this.#findField(text);
				return;
			case 'open':
				if (answer !== undefined) return void (await this.#page.goto(answer));
				return await this.#editor.openNode(text);
			case 'select':
				return await this.#press(text);
			case 'add':
				if (this.#group === undefined) return await this.#addNode(text);
				await this.#choose(this.#group.locator(testId('collection-parameter-add')).last(), text);
				if (answer === undefined) return;
		}
		await this.#fillIn(await this.#findField(text), answer);
	}

	/** Where fields and buttons are looked for: an open dialog, else the form of the open node. */
	async #place(): Promise<Locator> {
		const dialog = this.#page.getByRole('dialog').filter({ visible: true });
		return (await dialog.count()) > 0 ? dialog.last() : this.#page.locator('body');
	}

	async #findField(label: string): Promise<Locator> {
		const place = this.#group ?? (await this.#place());
		// Of several rows, the last one is being filled in.
		const found = place
			.locator('label')
			.filter({ hasText: labelled(label) })
			.last();
		await found.waitFor();
		const ofParameter = found.locator('xpath=ancestor::*[@data-test-id="parameter-item"][1]');
		return (await ofParameter.count()) > 0
			? ofParameter
			: found.locator('xpath=ancestor::*[.//input][1]');
	}

	/** Presses a button. What it executes has to succeed. */
	async #press(name: string): Promise<void> {
		if (!name.startsWith('Execute')) {
			await this.#click(name);
			if (name === 'Save') await this.#waitUntilTested();
			return;
		}
		const started = this.#page.waitForResponse((response) => /\/run$/.test(response.url()));
		await this.#click(name);
		const { data } = (await (await started).json()) as { data: { executionId?: string } };
		if (data.executionId === undefined) return;
		const reason = failureReason(await this.#executions.waitForEnd(data.executionId));
		if (reason !== '') throw new Error(`It's red: ${reason}`);
	}

	/** Clicks a button where it can be clicked: a dialog may be about to open over it. */
	async #click(name: string): Promise<void> {
		const find = async () =>
			(await this.#place()).getByRole('button', { name, exact: true }).filter({ visible: true });
		await waitUntil(
			async () => {
				// A node's panel is closed for what isn't in it.
				if ((await (await find()).count()) === 0 && (await this.#isNodeOpen()))
					await this.#editor.closeNode();
				return await (
					await find()
				)
					.last()
					.click({ timeout: MOVING_MS })
					.then(
						() => true,
						() => false,
					);
			},
			() => `There is no button ${name}`,
		);
	}

	/**
	 * Waits until n8n has tested a credential, and closes it. A machine too busy to answer in time says
	 * that it can't connect, and a person tries again.
	 */
	async #waitUntilTested(): Promise<void> {
		const dialog = this.#page.locator(testId('editCredential-modal'));
		const retry = dialog.getByRole('button', { name: 'Retry', exact: true });
		await waitUntil(
			async () => {
				if (await dialog.getByText('Connection tested successfully').isVisible())
					await this.#page.keyboard.press('Escape');
				else if (await retry.isVisible()) await retry.click();
				return !(await dialog.isVisible());
			},
			() => 'The credential is not tested',
			{ pauseMs: 500 },
		);
	}

	async #isNodeOpen(): Promise<boolean> {
		return await this.#page.locator(testId('ndv-close-button')).isVisible();
	}

	/** Searches the panel of nodes, and takes the first that it shows. */
	async #addNode(name: string): Promise<void> {
		const panel = this.#page.locator(testId('node-creator-search-bar'));
		if (await this.#isNodeOpen()) await this.#editor.closeNode();
		const [first, another] = ['canvas-plus-button', 'node-creator-plus-button'].map((id) =>
			this.#page.locator(testId(id)),
		);
		await first.or(another).first().click();
		await panel.fill(name);
		await this.#clickItem(name);
	}

	async #clickItem(name: string): Promise<void> {
		const items = this.#page.locator(testId('item-iterator-item'));
		const title = this.#page.getByText(name, { exact: true });
		await items.filter({ has: title }).first().click();
	}

	/** Imports an example into a new workflow. */
	async #import(example: string): Promise<void> {
		await this.#page.goto(`${this.#editor.url}/workflow/new`);
		await this.#page.locator(testId('workflow-menu')).first().click();
		await this.#page.getByRole('menuitem', { name: 'Import' }).click();
		const chooser = this.#page.waitForEvent('filechooser');
		await this.#page.getByRole('menuitem', { name: 'From file' }).click();
		await (
			await chooser
		).setFiles({
			name: `${example}.json`,
			mimeType: 'application/json',
			buffer: Buffer.from(this.#known[example]),
		});
		await this.#editor.node().first().waitFor();
	}

	async #fillIn(field: Locator, answer: string | undefined): Promise<void> {
		const fixed = field.locator(testId('radio-button-fixed')).first();
		if ((await fixed.count()) > 0 && (await fixed.getAttribute('data-active')) === null)
			await fixed.click();
		const list = field.locator('[data-test-id^="resource-locator-"]');
		if ((await list.count()) > 0) return await this.#chooseFromList(list.first(), answer);
		const dropdown = field.locator('input[role="combobox"]');
		if ((await dropdown.count()) > 0) return await this.#choose(dropdown.first(), answer);
		const toggle = field.getByRole('switch');
		if ((await toggle.count()) > 0) return await toggle.first().locator('xpath=..').click();
		if (answer === undefined) throw new Error('The step says no value for it');
		await field.locator('input, textarea, [contenteditable="true"]').first().fill(answer);
		// n8n's tip below it goes with the focus.
		await this.#page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
	}

	async #choose(opener: Locator, entry: string | undefined): Promise<void> {
		const all = this.#page.locator('.el-select-dropdown__item:visible, [role="option"]:visible');
		// An entry's description follows its name.
		const named = new RegExp(`^\\s*${escape(entry ?? '')}`);
		const chosen = all.filter({ hasText: named }).first();
		// A click that comes while n8n still loads or moves the entries can open nothing, or close it again.
		await waitUntil(
			async () => {
				if (!(await all.first().isVisible())) await opener.click();
				return await chosen.click({ timeout: MOVING_MS }).then(
					() => true,
					() => false,
				);
			},
			() => 'The list does not show it',
		);
		await chosen.waitFor({ state: 'hidden' });
	}

	async #chooseFromList(list: Locator, entry: string | undefined): Promise<void> {
		await list.evaluate((element) => element.scrollIntoView({ block: 'center' }));
		await list.locator('input').last().click();
		const entries = this.#page.locator(`${testId('rlc-item')}:visible`);
		await (entry === undefined ? entries : entries.filter({ hasText: entry })).first().click();
	}
}
