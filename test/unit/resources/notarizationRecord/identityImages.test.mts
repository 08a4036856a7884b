import type { IDataObject } from 'n8n-workflow';

import {
	listIdentityImages,
	simplifyRecord,
} from '../../../../nodes/SignAndClose/resources/notarizationRecord/api.ts';

/** Where a record has its images and the email address of its signer. */

const assets = (person: string) => [
	{
		credential_type: 'primary',
		credential_images: [
			{ url: `${person}/1f`, descriptor: 'front' },
			{ url: `${person}/1b`, descriptor: 'back' },
		],
	},
	{ credential_type: 'selfie', credential_images: [{ url: `${person}/s` }] },
];
const flat = (person: string) => ({
	primary_front: `${person}/1f`,
	primary_back: null,
	primary_type: 'driver_license',
	secondary_front: `${person}/2f`,
});

test.each<[string, object, string[]]>([
	['in the signer', { signers: [flat('a')] }, ['1 primary_front a/1f', '1 secondary_front a/2f']],
	[
		'in its identification',
		{ signers: [{ identification: flat('a') }] },
		['1 primary_front a/1f', '1 secondary_front a/2f'],
	],
	[
		'in its credential assets',
		{ signers: [{ email: 'x' }, { credential_assets: assets('b') }] },
		['2 primary_front b/1f', '2 primary_back b/1b', '2 selfie b/s'],
	],
	[
		'in both',
		{ signers: [{ ...flat('d'), credential_assets: assets('d') }] },
		['1 primary_front d/1f', '1 secondary_front d/2f', '1 primary_back d/1b', '1 selfie d/s'],
	],
	[
		'beside the list of signers, where the signer has none',
		{ signers: [{ email: 'a' }, flat('b')], signer_photo_identification: flat('a') },
		[
			'1 primary_front a/1f',
			'1 secondary_front a/2f',
			'2 primary_front b/1f',
			'2 secondary_front b/2f',
		],
	],
	[
		'beside a list that is null',
		{
			signers: null,
			signer_info: { credential_assets: assets('a').slice(1) },
			cosigner_info: { credential_assets: assets('b').slice(1) },
		},
		['1 selfie a/s', '2 selfie b/s'],
	],
])('images %s', (_where, record, expected) => {
	const images = listIdentityImages(record as IDataObject);
	expect(images.map(({ signer, side, link }) => `${signer} ${side} ${link}`)).toEqual(expected);
});

test.each([
	{ signer_info: { email: 'jane@example.com' }, signers: [] },
	{ signer_info: null, signers: [{ email: 'jane@example.com' }] },
])('the email address of the first signer is in %j', (more) => {
	const record = { id: 'me_1', video_url: 'x', notarized_documents: [{}], ...more };
	expect(simplifyRecord(record as IDataObject)).toMatchObject({
		signer_email: 'jane@example.com',
		notarized_documents: 1,
		has_video: true,
	});
});
