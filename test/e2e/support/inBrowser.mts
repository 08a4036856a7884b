import { findChromium } from '../../../scripts/chromium.mts';

/* Tests in a browser, which a machine without one leaves out. CI installs it. */

const hasBrowser = findChromium() !== undefined;

/** A test in a browser. Each file has its own `test`, and all share this module. */
export const testInBrowser = (...args: Parameters<typeof test>): void =>
	(hasBrowser ? test : test.skip)(...args);

/** A group of tests in a browser. */
export const describeInBrowser = (...args: Parameters<typeof describe>): void =>
	(hasBrowser ? describe : describe.skip)(...args);
