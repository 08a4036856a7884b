import { readFileSync } from 'node:fs';

import { expect, test } from '@jest/globals';

import { SignAndCloseApi } from '../../credentials/SignAndCloseApi.credentials.ts';
import { SignAndClose } from '../../nodes/SignAndClose/SignAndClose.node.ts';
import { SignAndCloseTrigger } from '../../nodes/SignAndClose/SignAndCloseTrigger.node.ts';
import { storedParameters, type StoredParameter } from '../support/storedInterface.mts';

/**
 * Workflows saved with version 0.1.0 keep working: every parameter, type, default and stored value
 * of it is still there in version 1 of the nodes. New ones may be added.
 */

const SAVED = JSON.parse(
	readFileSync(new URL('./storedInterface-0.1.0.json', import.meta.url), 'utf8'),
) as Record<'action' | 'trigger' | 'credential', StoredParameter[]>;

test.each([
	['action', new SignAndClose().description.properties],
	['trigger', new SignAndCloseTrigger().description.properties],
	['credential', new SignAndCloseApi().properties],
] as const)('the %s has every parameter that 0.1.0 stored', (name, properties) => {
	const today = new Map(storedParameters(properties, 1).map((entry) => [entry.path, entry]));
	const missing = SAVED[name].filter((saved) => {
		const now = today.get(saved.path);
		return (
			now === undefined ||
			now.type !== saved.type ||
			JSON.stringify(now.default) !== JSON.stringify(saved.default) ||
			(saved.values ?? []).some((value) => !(now.values ?? []).includes(value))
		);
	});
	expect(SAVED[name].length).toBeGreaterThan(0);
	expect(missing).toEqual([]);
});
