/** The same seed gives the same ids, and time can run faster. */

import { expect, test } from '@jest/globals';

import { startSandbox } from '../../sandbox/index.mts';
import { Client, newClosing } from './support/client.mts';

test('the same seed gives the same first id, another seed a different one', async () => {
	const ids = [];
	for (const seed of ['same', 'same', 'other']) {
		const seeded = await startSandbox({ seed });
		ids.push(await newClosing(new Client(seeded)));
		await seeded.close();
	}
	expect(ids[0]).toBe(ids[1]);
	expect(ids[0]).not.toBe(ids[2]);
});

test('time can run faster', async () => {
	const fast = await startSandbox({ clockSpeed: 10_000 });
	const before = fast.clock.now();
	await fetch(fast.url);
	expect(fast.clock.now() - before).toBeGreaterThan(1000);
	await fast.close();
});
