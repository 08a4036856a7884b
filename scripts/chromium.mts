import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const USUAL_PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The path of this machine's Chromium; undefined when it has none. */
export function findChromium(): string | undefined {
	const usual = USUAL_PATHS.find((path) => existsSync(path));
	if (usual !== undefined) return usual;
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

/** The command that installs Chromium. */
export const CHROMIUM_INSTALL_HINT = 'sudo apt-get install chromium';
