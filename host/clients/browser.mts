import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

import { CHROMIUM_INSTALL_HINT, findChromium } from '../../scripts/chromium.mts';
import { PATIENCE_MS } from '../run/patience.mts';

const LAUNCH_ARGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	'--no-first-run',
];

/**
 * Starts a headless Chromium.
 * @throws when this machine has none
 */
export async function launchChromium(): Promise<Browser> {
	const executablePath = findChromium();
	if (executablePath === undefined)
		throw new Error(`This machine has no Chromium. To install it: ${CHROMIUM_INSTALL_HINT}`);
	return await chromium.launch({ executablePath, args: LAUNCH_ARGS, timeout: PATIENCE_MS });
}

/** Opens a page in which nothing is given up that a busy machine does late. */
export async function openPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
	const page = await browser.newPage(options);
	page.setDefaultTimeout(PATIENCE_MS);
	return page;
}

/** The colors that the person's system prefers. n8n's editor and the sandbox's console follow it. */
export type Theme = 'light' | 'dark';

/** Works with an empty page in a Chromium of its own, which ends with the work. */
export async function withPage(
	work: (page: Page) => Promise<void>,
	theme: Theme = 'light',
): Promise<void> {
	const browser = await launchChromium();
	try {
		await work(await openPage(browser, { colorScheme: theme }));
	} finally {
		await browser.close();
	}
}
