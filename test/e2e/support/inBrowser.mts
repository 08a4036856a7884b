import { describe, test } from 'vitest';

import { findChromium } from '../../../scripts/chromium.mts';

/* Tests in a browser, which a machine without one leaves out. CI installs it. */

const hasBrowser = findChromium() !== undefined;

/** A test in a browser. */
export const testInBrowser = hasBrowser ? test : test.skip;

/** A group of tests in a browser. */
export const describeInBrowser = hasBrowser ? describe : describe.skip;
