import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where a Chromium is on this machine; undefined when there is none. */
export function findChromium(): string | undefined {
	const known = PLACES.find((place) => existsSync(place));
	if (known !== undefined) return known;
	try {
		return (
			execFileSync('which', ['chromium'], {
				encoding: 'utf8',
				stdio: ['ignore', 'pipe', 'ignore'],
			}).trim() || undefined
		);
	} catch {
		return undefined;
	}
}

/** How a machine without Chromium gets one. */
export const CHROMIUM_HINT = 'sudo apt-get install chromium';
