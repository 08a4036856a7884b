import { describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import {
	identityImages,
	retrieveRecord,
} from '../../../../nodes/SignAndClose/resources/notarizationRecord/api.ts';
import { listRecordingJurisdictions } from '../../../../nodes/SignAndClose/resources/address/api.ts';
import { inTurn, thrownBy, withClient } from '../../../support/live/client.mts';

/** Notarization records and recording jurisdictions. */

test('a notarization record is none without an ID', async () => {
	for (const body of [{ notary_name: 'Nora' }, { id: '' }, '', 'gone'])
		await withClient(inTurn(body), async (service) => {
			expect(await thrownBy(retrieveRecord(service, 'nr_1', 'business'))).toMatchObject({
				reason: { code: 'unexpectedAnswer' },
			});
		});
});

describe('the images of an identification', () => {
	const imagesOf = (person: IDataObject) =>
		identityImages({ signers: [person] }).map(({ side, link }) => [side, link]);
	const asset = (type: string | undefined, ...images: Array<[string | undefined, unknown]>) => ({
		credential_type: type,
		credential_images: images.map(([descriptor, url]) => ({ descriptor, url })),
	});
	test('of one kind are numbered', () => {
		const credential_assets = [asset('passport', ['front', 'a'], ['front', 'b'], ['front', 'c'])];
		expect(imagesOf({ credential_assets } as unknown as IDataObject)).toEqual([
			['passport_front', 'a'],
			['passport_front_2', 'b'],
			['passport_front_3', 'c'],
		]);
	});
	test('have a name without a type, and none without a link', () => {
		const credential_assets = [
			asset(undefined, ['front', 'a'], ['back', ''], [undefined, 'b']),
			asset('selfie', [undefined, 'c']),
		];
		expect(imagesOf({ credential_assets } as unknown as IDataObject)).toEqual([
			['identification_front', 'a'],
			['identification', 'b'],
			['selfie', 'c'],
		]);
	});
	test('that stand in the identification are not taken from the assets again', () => {
		const person = {
			identification: { selfie: 'a' },
			credential_assets: [asset('selfie', [undefined, 'b']), asset('passport', ['back', 'c'])],
		};
		expect(imagesOf(person as unknown as IDataObject)).toEqual([
			['selfie', 'a'],
			['passport_back', 'c'],
		]);
	});
});

test('recording jurisdictions are asked for by the address', async () => {
	await withClient(inTurn([{ id: 'rl_1' }]), async (service, { requests }) => {
		const query = { transaction_type: 'refinance', 'street_address[state]': 'MA' };
		expect(await listRecordingJurisdictions(service, query)).toEqual([{ id: 'rl_1' }]);
		expect(requests[0].query).toEqual(query);
	});
});
