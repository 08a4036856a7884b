import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

import type { Browser, Locator, Page, Request } from 'playwright-core';

import { waitUntil } from '../run/patience.mts';
import { launchChromium, openPage, type Theme } from './browser.mts';
import { OWNER } from './n8n/session.mts';

/** What a part of the page keeps around it in pictures. */
const PICTURE_MARGIN_PX = 16;
const DEFAULT_VIEWPORT = { width: 1600, height: 900 };
/** In how many frames the page must stay as it is. */
const STILL_FRAMES = 10;

/** Fills in the form that n8n shows to whoever isn't signed in. */
export async function signIn(page: Page): Promise<void> {
	await page
		.locator('input[type="email"], input[name="emailOrLdapLoginId"]')
		.first()
		.fill(OWNER.email);
	await page.locator('input[type="password"]').first().fill(OWNER.password);
	await page.locator('[data-test-id="form-submit-button"]').click();
}

/** The editor in a headless Chromium, used as a person uses it. */
export class Editor {
	readonly page: Page;
	readonly url: string;
	/** The exceptions that the page didn't catch. */
	readonly pageErrors: string[] = [];
	readonly #browser: Browser;
	/** What the page has asked n8n and not been answered yet. */
	readonly #open = new Set<Request>();

	private constructor(browser: Browser, page: Page, url: string) {
		this.#browser = browser;
		this.page = page;
		this.url = url;
		page.on('pageerror', (error) => this.pageErrors.push(error.message));
		page.on('request', (request) => {
			if (request.url().startsWith(url) && /xhr|fetch/.test(request.resourceType()))
				this.#open.add(request);
		});
		const close = (request: Request) => this.#open.delete(request);
		page.on('requestfinished', close);
		page.on('requestfailed', close);
		page.on('domcontentloaded', () => this.#open.clear());
	}

	/**
	 * Opens a browser and signs in.
	 * @throws when this machine has no Chromium
	 */
	static async open(
		url: string,
		viewport: { width: number; height: number } = DEFAULT_VIEWPORT,
		theme: Theme = 'light',
	): Promise<Editor> {
		const browser = await launchChromium();
		try {
			const page = await openPage(browser, {
				viewport,
				colorScheme: theme,
				reducedMotion: 'reduce',
			});
			const editor = new Editor(browser, page, url);
			await editor.#signIn();
			return editor;
		} catch (error) {
			await browser.close();
			throw error;
		}
	}

	async #signIn(): Promise<void> {
		await this.page.goto(`${this.url}/signin`);
		await signIn(this.page);
		await this.page.waitForURL((address) => !address.pathname.includes('signin'));
	}

	/** Opens a saved workflow and fits it into the view. */
	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${id}`);
		await this.node().first().waitFor();
		await this.hideNotices();
		await this.zoomToFit();
	}

	/** The node with this name on the canvas; all nodes when no name is given. */
	node(name?: string): Locator {
		return name === undefined
			? this.page.locator('[data-test-id="canvas-node"]')
			: this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	/** Presses "Execute workflow". */
	async execute(): Promise<void> {
		await this.page.locator('[data-test-id="execute-workflow-button"]').first().click();
	}

	/** Presses the button of a trigger, in a workflow with several. */
	async executeFrom(trigger: string): Promise<void> {
		await this.node(trigger).hover();
		await this.page.locator(`[data-test-id="execute-workflow-button-${trigger}"]`).click();
	}

	/** Waits until this many nodes have succeeded. Fails as soon as one has failed. */
	async waitForSuccess(count: number): Promise<void> {
		const succeeded = this.page.locator('[data-test-id="canvas-node-status-success"]');
		const failed = this.page.locator('[data-test-id="canvas-node-status-error"]');
		let successes = 0;
		await waitUntil(
			async () => {
				if ((await failed.count()) > 0)
					throw new Error('A node of the workflow has failed in the editor');
				successes = await succeeded.count();
				return successes >= count;
			},
			() => `${successes} nodes have succeeded, not ${count},`,
		);
	}

	/**
	 * Waits until the editor has drawn everything: n8n has answered it, no animation is under way, and
	 * nothing changes in several frames.
	 */
	async #still(): Promise<void> {
		await waitUntil(
			async () =>
				(await this.page.evaluate(async (frames) => {
					let changes = 0;
					const observer = new MutationObserver(() => (changes += 1));
					const everything = { attributes: true, characterData: true, childList: true };
					observer.observe(document, { ...everything, subtree: true });
					for (let frame = 0; frame < frames; frame++) await new Promise(requestAnimationFrame);
					observer.disconnect();
					const isUnderWay = ({ playState, effect }: Animation) =>
						playState === 'running' && effect?.getComputedTiming().endTime !== Infinity;
					return changes === 0 && !document.getAnimations().some(isUnderWay);
				}, STILL_FRAMES)) && this.#open.size === 0,
			() => `The editor still changes, or waits for ${[...this.#open].map((one) => one.url())},`,
			{ pauseMs: 0 },
		);
	}

	/** Opens a node's panel with a double click. */
	async openNode(name: string): Promise<void> {
		await this.node(name).dblclick();
		await this.page
			.locator('[data-test-id="ndv"], [data-test-id="node-parameters"], .ndv-wrapper')
			.first()
			.waitFor();
		await this.#still();
	}

	/** Scrolls the parameters of the open node to the one with this label. */
	async showParameter(label: string): Promise<void> {
		const parameters = this.page.locator('[data-test-id="node-parameters"]');
		const parameter = parameters.getByText(label, { exact: true }).first();
		await parameter.evaluate((element) => element.scrollIntoView({ block: 'start' }));
		await this.#still();
	}

	/** Shows the output of the open node in one of n8n's ways. */
	async showOutputAs(way: 'table' | 'json' | 'schema'): Promise<void> {
		await this.page
			.locator('[data-test-id="output-panel"]')
			.locator(`[data-test-id="radio-button-${way}"]`)
			.click();
		await this.#still();
	}

	/** The resource locator of a parameter in the open panel. */
	#resourceLocator(name: string): Locator {
		return this.page.locator(`[data-test-id="resource-locator-${name}"]`);
	}

	/** Opens the list of a resource locator and waits for its entries, or for its error. */
	async openList(name: string): Promise<void> {
		const field = this.#resourceLocator(name);
		// At the bottom of the panel, n8n's own links would cover it.
		await field.evaluate((element) => element.scrollIntoView({ block: 'center' }));
		await field
			.locator('[data-test-id="rlc-input"] input, input[data-test-id="rlc-input"]')
			.first()
			.click();
		await this.page
			.locator('[data-test-id="rlc-item"]:visible, [data-test-id="rlc-error-container"]:visible')
			.first()
			.waitFor();
		await this.#still();
	}

	/** The entries of the open list, or its error when it couldn't be loaded. */
	async listEntries(): Promise<string[]> {
		return (
			await this.page
				.locator('[data-test-id="rlc-item"]:visible, [data-test-id="rlc-error-container"]:visible')
				.allInnerTexts()
		).map((text) => text.replace(/\s+/g, ' ').trim());
	}

	/** Opens the list of a resource locator and selects the entry with this text. */
	async selectFromList(name: string, text: string): Promise<void> {
		await this.openList(name);
		await this.page.locator('[data-test-id="rlc-item"]:visible', { hasText: text }).first().click();
		await this.#still();
	}

	/** Opens a plain dropdown. Returns its entries. */
	async openDropdown(name: string): Promise<string[]> {
		const field = this.page.locator(`[data-test-id^="parameter-input-${name}"]`).first();
		const entries = this.page.locator('.el-select-dropdown__item:visible, [role="option"]:visible');
		// A click that comes while n8n still loads the entries can open nothing, or close it again.
		await waitUntil(
			async () => {
				await this.#still();
				if (await entries.first().isVisible()) return true;
				await field.click();
				return false;
			},
			() => `The list of ${name} doesn't open`,
			{ pauseMs: 0 },
		);
		return (await entries.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
	}

	/** Opens the panel that adds nodes and shows the actions of one. */
	async showActions(node: string): Promise<void> {
		await this.page.locator('[data-test-id="node-creator-plus-button"]').click();
		await this.page.locator('[data-test-id="node-creator-search-bar"]').fill(node);
		await this.page
			.locator('[data-test-id="item-iterator-item"]', { hasText: node })
			.first()
			.click();
		await this.page.getByText(/Actions \(\d+\)/).waitFor();
		await this.#still();
	}

	/** Closes the panel of a node, even when a list is open in it. */
	async closeNode(): Promise<void> {
		await this.pressEscape();
		const button = this.page.locator('[data-test-id="ndv-close-button"]');
		if (await button.isVisible()) await button.click();
		await button.waitFor({ state: 'hidden' });
		await this.#still();
	}

	/** Presses Escape, which closes the open list, panel or dialog. */
	async pressEscape(): Promise<void> {
		await this.page.keyboard.press('Escape');
		await this.#still();
	}

	/** Fits the workflow into the view. */
	async zoomToFit(): Promise<void> {
		const button = this.page.locator('[data-test-id="zoom-to-fit"]');
		if ((await button.count()) > 0) await button.click();
		await this.#still();
	}

	/** Hides the editor's own notices: dialogs, callouts, notifications. */
	async hideNotices(): Promise<void> {
		await this.page.addStyleTag({
			content:
				'.el-notification, [data-test-id$="-callout"], [data-test-id="whats-new-modal"] { display: none !important; }',
		});
		await this.page
			.locator('.el-dialog__headerbtn:visible, [data-test-id="dialog-close-button"]:visible')
			.evaluateAll((buttons) => buttons.forEach((button) => (button as HTMLElement).click()));
	}

	/** Saves a picture of the page as PNG. */
	async screenshot(file: string): Promise<void> {
		await this.#settle(file);
		await this.page.screenshot({ path: file, animations: 'disabled' });
	}

	/** Where a part of the open node's panel is. */
	async #boxOf(id: string) {
		const box = await this.page.locator(`[data-test-id="${id}"]`).first().boundingBox();
		if (box === null) throw new Error(`The editor doesn't show its ${id}`);
		return box;
	}

	/** Saves a picture of the parameters of the open node, as far as they're in view. */
	async screenshotParameters(file: string): Promise<void> {
		await this.#settle(file);
		const clip = await this.#boxOf('node-parameters');
		await this.page.screenshot({ path: file, animations: 'disabled', clip });
	}

	/** Saves a picture of the parameters and the output of the open node, without its input. */
	async screenshotWithoutInput(file: string): Promise<void> {
		await this.#settle(file);
		const [parameters, output] = await Promise.all(
			['node-parameters', 'output-panel'].map(async (id) => await this.#boxOf(id)),
		);
		const x = parameters.x - PICTURE_MARGIN_PX;
		const width = output.x + output.width - x;
		await this.page.screenshot({
			path: file,
			animations: 'disabled',
			clip: { x, y: output.y, width, height: output.height },
		});
	}

	async #settle(file: string): Promise<void> {
		mkdirSync(dirname(file), { recursive: true });
		await this.hideNotices();
		await this.page.mouse.move(0, 0);
		await this.#still();
	}

	async close(): Promise<void> {
		await this.#browser.close();
	}
}
