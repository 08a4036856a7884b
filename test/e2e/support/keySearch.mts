import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from '@jest/globals';

import type { Host } from './host.mts';

/** What n8n has always written. A database that was closed cleanly has no further files. */
const WRITTEN = ['config', 'database.sqlite', 'n8nEventLog.log'];

/**
 * Stops n8n and expects that a key is in none of the places where n8n stores or writes something:
 * its log, its database and other files, the archive, and the deliveries at the service.
 * @param archived how many archived files must have been searched at least
 */
export async function expectKeyNowhere(host: Host, key: string, archived = 0): Promise<void> {
	await host.n8n.stop();
	expect(host.n8n.log()).not.toContain(key);
	const searched: string[] = [];
	for (const folder of [join(host.n8n.userFolder, '.n8n'), host.folder]) {
		for (const entry of readdirSync(folder, { recursive: true }).map(String)) {
			const file = join(folder, entry);
			// The installed package can't contain the key, and it is large.
			if (entry.includes('node_modules') || !statSync(file).isFile()) continue;
			searched.push(entry);
			expect([entry, readFileSync(file).includes(key)]).toEqual([entry, false]);
		}
	}
	expect(searched).toEqual(expect.arrayContaining(WRITTEN));
	expect(searched.length).toBeGreaterThanOrEqual(WRITTEN.length + archived);
	expect(JSON.stringify(host.sandbox.deliveries)).not.toContain(key);
}
