import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

import { type Browser, chromium, type Locator, type Page } from 'playwright-core';

import { CHROMIUM_HINT, findChromium } from '../../scripts/chromium.mts';
import { OWNER, type Owner } from './n8nSession.mts';

/** The editor in a headless Chromium, as a person uses it. */

const LAUNCH = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	'--no-first-run',
];
const WIDE = { width: 1600, height: 900 };
const LIMIT_MS = 30_000;
const SETTLE_MS = 400;

export class Editor {
	readonly page: Page;
	readonly url: string;
	/** What the page complained about in its console. */
	readonly complaints: string[] = [];
	readonly #browser: Browser;

	constructor(browser: Browser, page: Page, url: string) {
		this.#browser = browser;
		this.page = page;
		this.url = url;
		page.on('pageerror', (failure) => this.complaints.push(failure.message));
	}

	/**
	 * Opens a browser and signs in.
	 * @throws when the machine has no Chromium
	 */
	static async open(
		url: string,
		options: { owner?: Owner; viewport?: { width: number; height: number }; dark?: boolean } = {},
	): Promise<Editor> {
		const executablePath = findChromium();
		if (executablePath === undefined)
			throw new Error(`No Chromium on this machine: ${CHROMIUM_HINT}`);
		const browser = await chromium.launch({ executablePath, args: LAUNCH });
		try {
			const context = await browser.newContext({
				viewport: options.viewport ?? WIDE,
				colorScheme: options.dark === true ? 'dark' : 'light',
				reducedMotion: 'reduce',
			});
			const page = await context.newPage();
			page.setDefaultTimeout(LIMIT_MS);
			const editor = new Editor(browser, page, url);
			await editor.#signIn(options.owner ?? OWNER);
			return editor;
		} catch (thrown) {
			await browser.close();
			throw thrown;
		}
	}

	async #signIn({ email, password }: Owner): Promise<void> {
		await this.page.goto(`${this.url}/signin`);
		await this.page
			.locator('input[type="email"], input[name="emailOrLdapLoginId"]')
			.first()
			.fill(email);
		await this.page.locator('input[type="password"]').first().fill(password);
		await this.page.locator('[data-test-id="form-submit-button"]').click();
		await this.page.waitForURL((address) => !address.pathname.includes('signin'));
	}

	/** Opens a saved workflow and fits it into the view. */
	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${id}`);
		await this.node().first().waitFor();
		await this.tidy();
		await this.fit();
	}

	/** A node on the canvas by its name; all of them without one. */
	node(name?: string): Locator {
		return name === undefined
			? this.page.locator('[data-test-id="canvas-node"]')
			: this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	/** Presses "Execute workflow". */
	async execute(): Promise<void> {
		await this.page.locator('[data-test-id="execute-workflow-button"]').first().click();
	}

	/** Waits until this many nodes are green; fails as soon as one is red. */
	async waitForGreen(count: number, waitMs = 60_000): Promise<void> {
		const green = this.page.locator('[data-test-id="canvas-node-status-success"]');
		const red = this.page.locator('[data-test-id="canvas-node-status-error"]');
		const end = Date.now() + waitMs;
		for (;;) {
			if ((await red.count()) > 0) throw new Error(`A node of the flow is red in the editor`);
			if ((await green.count()) >= count) return;
			if (Date.now() > end)
				throw new Error(
					`${await green.count()} nodes are green after ${waitMs / 1000} s, not ${count}`,
				);
			await this.page.waitForTimeout(100);
		}
	}

	/** Opens a node's panel by a double click. */
	async openNode(name: string): Promise<void> {
		await this.node(name).dblclick();
		await this.page
			.locator('[data-test-id="ndv"], [data-test-id="node-parameters"], .ndv-wrapper')
			.first()
			.waitFor();
		await this.page.waitForTimeout(SETTLE_MS);
	}

	/**
	 * The field of an open panel in which something is chosen from a list, by the parameter's name.
	 */
	#locator(name: string): Locator {
		return this.page.locator(`[data-test-id="resource-locator-${name}"]`);
	}

	/** Opens such a list and waits until it shows something: entries, or why it can't be loaded. */
	async openList(name: string): Promise<void> {
		const field = this.#locator(name);
		// At the bottom of the panel n8n's own links would lie over it.
		await field.evaluate((element) => element.scrollIntoView({ block: 'center' }));
		await field
			.locator('[data-test-id="rlc-input"] input, input[data-test-id="rlc-input"]')
			.first()
			.click();
		await this.page
			.locator('[data-test-id="rlc-item"]:visible, [data-test-id="rlc-error-container"]:visible')
			.first()
			.waitFor();
		await this.page.waitForTimeout(SETTLE_MS);
	}

	/** The entries of the open list; its complaint when it could not be loaded. */
	async listed(): Promise<string[]> {
		return (
			await this.page
				.locator('[data-test-id="rlc-item"]:visible, [data-test-id="rlc-error-container"]:visible')
				.allInnerTexts()
		).map((text) => text.replace(/\s+/g, ' ').trim());
	}

	/** Opens a list and takes the entry with this text. */
	async choose(name: string, text: string): Promise<void> {
		await this.openList(name);
		await this.page.locator('[data-test-id="rlc-item"]:visible', { hasText: text }).first().click();
		await this.page.waitForTimeout(SETTLE_MS);
	}

	/** The entries of a plain dropdown, which is left open. */
	async openOptions(name: string): Promise<string[]> {
		await this.page.locator(`[data-test-id^="parameter-input-${name}"]`).first().click();
		const entries = this.page.locator('.el-select-dropdown__item:visible, [role="option"]:visible');
		await entries.first().waitFor();
		await this.page.waitForTimeout(SETTLE_MS);
		return (await entries.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
	}

	/** Opens the panel that offers nodes and shows the actions of one. */
	async showActions(node: string): Promise<void> {
		await this.page.locator('[data-test-id="node-creator-plus-button"]').click();
		await this.page.locator('[data-test-id="node-creator-search-bar"]').fill(node);
		await this.page
			.locator('[data-test-id="item-iterator-item"]', { hasText: node })
			.first()
			.click();
		await this.page.getByText(/Actions \(\d+\)/).waitFor();
		await this.page.waitForTimeout(SETTLE_MS);
	}

	/** Closes the panel of a node, whatever list is open in it. */
	async closeNode(): Promise<void> {
		await this.page.keyboard.press('Escape');
		const button = this.page.locator('[data-test-id="ndv-close-button"]');
		if (await button.isVisible()) await button.click();
		await button.waitFor({ state: 'hidden' });
		await this.page.waitForTimeout(SETTLE_MS);
	}

	/** Closes whatever panel or dialog is open. */
	async closePanel(): Promise<void> {
		await this.page.keyboard.press('Escape');
		await this.page.waitForTimeout(SETTLE_MS);
	}

	/** Fits the flow into the view. */
	async fit(): Promise<void> {
		const button = this.page.locator('[data-test-id="zoom-to-fit"]');
		if ((await button.count()) > 0) await button.click();
		await this.page.waitForTimeout(SETTLE_MS);
	}

	/** Takes away what the editor shows of itself: dialogs, call-outs, notes of success. */
	async tidy(): Promise<void> {
		await this.page.addStyleTag({
			content:
				'.el-notification, [data-test-id$="-callout"], [data-test-id="whats-new-modal"] { display: none !important; }',
		});
		for (const dialog of await this.page
			.locator('.el-dialog__headerbtn:visible, [data-test-id="dialog-close-button"]:visible')
			.all()) {
			await dialog.click({ timeout: 1000 }).catch(() => undefined);
		}
	}

	/** Saves what is to be seen as PNG, of the page or of one element. */
	async screenshot(file: string, of?: Locator): Promise<void> {
		mkdirSync(dirname(file), { recursive: true });
		await this.tidy();
		await this.page.mouse.move(0, 0);
		await this.page.waitForTimeout(SETTLE_MS);
		await (of ?? this.page).screenshot({ path: file, animations: 'disabled' });
	}

	async close(): Promise<void> {
		await this.#browser.close();
	}
}
