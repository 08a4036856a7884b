import type { IDataObject } from 'n8n-workflow';

import {
	listIdentityImages,
	retrieveRecord,
} from '../../../../nodes/SignAndClose/resources/notarizationRecord/api.ts';
import { forEachCase } from '../../../support/forEachCase.mts';
import { inTurn, thrownBy, withClient } from '../../../support/live/client.mts';

/** Notarization records and recording jurisdictions. */

test('a notarization record is none without an ID', async () => {
	await forEachCase([{ notary_name: 'Nora' }, { id: '' }, '', 'gone'], async (body) => {
		await withClient(inTurn(body), async (service) => {
			expect(await thrownBy(retrieveRecord(service, 'nr_1', 'business'))).toMatchObject({
				reason: { code: 'unexpectedAnswer' },
			});
		});
	});
});

describe('the images of an identification', () => {
	const imagesOf = (person: IDataObject) =>
		listIdentityImages({ signers: [person] }).map(({ side, link }) => [side, link]);
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
});

describe('the identity images', () => {
	const assets = (person: string) => [
		{
			credential_type: 'primary',
			credential_images: [
				{ url: `/${person}/1f`, descriptor: 'front' },
				{ url: `/${person}/1b`, descriptor: 'back' },
			],
		},
		{
			credential_type: 'secondary',
			credential_images: [{ url: `/${person}/2b`, descriptor: 'back' }],
		},
		{ credential_type: 'selfie', credential_images: [{ url: `/${person}/s` }] },
	];
	const flat = (person: string) => ({
		primary_front: `/${person}/1f`,
		primary_back: null,
		primary_type: 'driver_license',
		primary_issuer: 'US',
		secondary_front: `/${person}/2f`,
	});
	const images = (record: object) =>
		listIdentityImages(record as IDataObject).map(({ signer, side, link }) => [signer, side, link]);
	test('of each signer: in the signer, in its identification and in its credential assets', () => {
		expect(
			images({
				signers: [
					{ email: 'a@example.com', ...flat('a') },
					{ email: 'b@example.com', identification: flat('b') },
					{ email: 'c@example.com', credential_assets: assets('c') },
					{ email: 'd@example.com', ...flat('d'), credential_assets: assets('d') },
				],
			}),
		).toEqual([
			[1, 'primary_front', '/a/1f'],
			[1, 'secondary_front', '/a/2f'],
			[2, 'primary_front', '/b/1f'],
			[2, 'secondary_front', '/b/2f'],
			[3, 'primary_front', '/c/1f'],
			[3, 'primary_back', '/c/1b'],
			[3, 'secondary_back', '/c/2b'],
			[3, 'selfie', '/c/s'],
			[4, 'primary_front', '/d/1f'],
			[4, 'secondary_front', '/d/2f'],
			[4, 'primary_back', '/d/1b'],
			[4, 'secondary_back', '/d/2b'],
			[4, 'selfie', '/d/s'],
		]);
	});
	test('of a signer who has none in the list: those beside the list', () => {
		const beside = { signer_photo_identification: flat('a') };
		const first = [
			[1, 'primary_front', '/a/1f'],
			[1, 'secondary_front', '/a/2f'],
		];
		expect(images(beside)).toEqual(first);
		expect(images({ ...beside, signers: [{ email: 'a' }, { email: 'b', ...flat('b') }] })).toEqual([
			...first,
			[2, 'primary_front', '/b/1f'],
			[2, 'secondary_front', '/b/2f'],
		]);
		expect(
			images({
				signers: null,
				signer_info: { email: 'a', credential_assets: assets('a').slice(1) },
				cosigner_info: { email: 'b', credential_assets: assets('b').slice(2) },
			}),
		).toEqual([
			[1, 'secondary_back', '/a/2b'],
			[1, 'selfie', '/a/s'],
			[2, 'selfie', '/b/s'],
		]);
	});
});
