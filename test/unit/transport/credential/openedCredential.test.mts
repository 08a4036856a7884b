import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { readSettings } from '../../../../nodes/SignAndClose/transport/credential/credential.ts';
import { OpenedCredential } from '../../../../nodes/SignAndClose/transport/credential/openedCredential.ts';

/** The credential of a run, after the service has refused its key. */

beforeEach(() => void jest.useFakeTimers({ now: Date.parse('2026-03-04T05:06:07Z') }));
afterEach(() => void jest.useRealTimers());

const FORMER = { baseUrl: 'https://a.example', apiKey: 'former-key' };
const NEW = { ...FORMER, apiKey: 'newer-key', webhookSigningSecret: 'newer-secret' };

/** A run that has opened the first credential; n8n now opens the one that `now` says. */
function run(now: () => ICredentialDataDecryptedObject) {
	const settings = readSettings(FORMER);
	let looks = 0;
	const context = {
		getCredentials: async () => {
			looks++;
			return await Promise.resolve(now() as never);
		},
	};
	const credential = new OpenedCredential(context, FORMER, settings);
	return { credential, settings, looks: () => looks };
}

describe('of a run whose key was refused', () => {
	test('a new key is used from now on, and none of both is shown', async () => {
		const { credential, settings, looks } = run(() => NEW);
		const refused = credential.forHelper;
		expect(refused).toMatchObject({ type: 'signAndCloseApi', data: FORMER });
		const { account } = settings;
		expect(await credential.hasChangedSince(refused)).toBe(true);
		expect(credential.forHelper.data).toEqual(NEW);
		expect(settings.account).toBe(readSettings(NEW).account);
		expect(settings.account).not.toBe(account);
		for (const list of [settings.secrets, settings.outputSecrets])
			expect(list).toEqual(['former-key', 'newer-key', 'newer-secret']);
		// Others were refused with the former key before this one was found.
		expect(await credential.hasChangedSince(refused)).toBe(true);
		expect(looks()).toBe(1);
	});
	test.each<[string, () => ICredentialDataDecryptedObject]>([
		['the same key', () => ({ ...FORMER })],
		['a key for another service', () => ({ ...NEW, baseUrl: 'https://b.example' })],
		['a key for another path of the service', () => ({ ...NEW, baseUrl: 'https://a.example/x' })],
		['no key', () => ({ ...NEW, apiKey: '' })],
		[
			'no credential',
			() => {
				throw new Error('Credential with ID "1" does not exist.');
			},
		],
	])('%s is not used', async (_what, now) => {
		const { credential, settings } = run(now);
		const before = structuredClone(settings);
		expect(await credential.hasChangedSince(credential.forHelper)).toBe(false);
		expect(credential.forHelper.data).toBe(FORMER);
		expect(settings).toEqual(before);
	});
	test('many items look together, and not again for two seconds', async () => {
		const { credential, looks } = run(() => FORMER);
		const refused = credential.forHelper;
		const look = async () => await credential.hasChangedSince(refused);
		expect(await Promise.all([look(), look(), look()])).toEqual([false, false, false]);
		expect(looks()).toBe(1);
		await jest.advanceTimersByTimeAsync(1_999);
		expect(await look()).toBe(false);
		expect(looks()).toBe(1);
		await jest.advanceTimersByTimeAsync(1);
		expect(await look()).toBe(false);
		expect(looks()).toBe(2);
	});
});
