import { expect, test } from '@jest/globals';

import { hideSecrets } from '../../../nodes/SignAndClose/values/secrets.ts';

/**
 * How long it takes to hide secrets. In a file of its own, because other tools than Jest, which run
 * changed code, can't measure time.
 */

test('a big answer without secrets takes little time', () => {
	const documents = Array.from({ length: 20_000 }, (_, index) => ({
		id: `do_${index}`,
		document_name: `Document ${index} of a long list of documents`,
		requirement: 'notarization',
		allowed_actions: ['NOTARIZATION_REQUIRED'],
		signing_designations: [{ id: `sd_${index}`, page_number: 1 }],
	}));
	const big = { documents, data: 'JVBERi0xLjcK'.repeat(450_000) };
	const timeOf = (work: () => void) => {
		// Of this process alone: on a busy machine, the clock tells how long it had to wait.
		const began = process.cpuUsage();
		work();
		const { user, system } = process.cpuUsage(began);
		return user + system;
	};
	const REPEATS = Array.from({ length: 8 });
	const secrets = ['key-5f1d0c9e7b3a4286', 'key-5f1d0c9e7b3a4286-2', '123456789'];
	let hidden: unknown;
	// Compared with what n8n does with each output at least once, because machines differ.
	const copying = Math.min(
		...REPEATS.map(() => timeOf(() => JSON.parse(JSON.stringify(big)) as unknown)),
	);
	const hiding = Math.min(...REPEATS.map(() => timeOf(() => (hidden = hideSecrets(big, secrets)))));
	expect(hidden).toBe(big);
	// Usually twice. In a process with much code, V8 doesn't optimize regular expressions.
	expect(hiding).toBeLessThan(copying * 8);
});
