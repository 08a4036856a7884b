import type { Json } from '../types.mts';
import { isValidLink, newLink } from '../state/links.mts';
import { SAMPLE_IMAGE, SAMPLE_VIDEO, samplePdf } from '../state/pdf.mts';
import { compact, showDocument } from '../state/views.mts';
import { bare, iso, type MeetingRecord } from '../state/world.mts';
import {
	File,
	findTransaction,
	noResource,
	page,
	Refusal,
	refuse,
	route,
	type Call,
} from './call.mts';

/** Notarization records, notaries and the files behind links (docs/service/notarization.md). */

function showRecord(call: Call, record: MeetingRecord): Json {
	const { world } = call;
	const transaction = world.transactions.get(bare(record.transactionId));
	const images = {
		primary_front: newLink(world, 'image/primary_front'),
		primary_back: newLink(world, 'image/primary_back'),
		secondary_front: newLink(world, 'image/secondary_front'),
		primary_type: 'passport',
	};
	const signers = (transaction?.signers ?? []).map(({ fields }) => ({
		email: fields.email,
		first_name: fields.first_name ?? '',
		last_name: fields.last_name ?? '',
		dob: fields.dob ?? '1980-01-01',
		address: fields.address ?? {},
	}));
	const documents = (transaction?.documents ?? []).filter(
		(one) => one.requirement === 'notarization',
	);
	const video = `${world.origin}/v1/transactions/${record.transactionId}/notarization_records/${record.id}`;
	return compact({
		id: record.id,
		meeting_start: iso(record.start),
		meeting_end: iso(record.start + 600_000),
		notary_name: 'Nora Notary',
		notary_county_city: 'Fairfax, VA',
		notary_registration: '1234567',
		signer_info: signers[0],
		cosigner_info: signers[1],
		signers: signers.map((signer) => ({ ...signer, ...images })),
		signer_photo_identification: images,
		witnesses: [],
		verification_credentials: {
			retrieval_id: 'A1B2C3D4',
			retrieval_pin: 'E5F6G7',
			date_completed: iso(record.start + 600_000),
		},
		video_url: `${video}/download_asset/generic_video_session`,
		notarized_documents: documents.map((document) =>
			transaction?.platform === 'realEstate'
				? showDocument(world, transaction, document, 'nulls')
				: {
						document_url: newLink(world, `document/${document.id}`),
						notorial_acts: ['acknowledgement'],
						tracking_id: document.fields.tracking_id ?? null,
					},
		),
	});
}

function getRecord(call: Call): Json {
	const record = call.world.records.get(bare(call.params.id));
	if (!record || record.platform !== call.platform) noResource();
	return showRecord(call, record);
}

function listRecords(call: Call): Json {
	const mine = [...call.world.records.values()].filter((one) => one.platform === call.platform);
	const some = page(call, mine, { usual: 20, most: 1000 });
	return { records: some.map((record) => showRecord(call, record)) };
}

function video(call: Call): File {
	const record = call.world.records.get(bare(call.params.recordId));
	const asset = call.params.asset ?? call.query.get('asset_key');
	if (!record || asset !== 'generic_video_session') noResource();
	return new File(SAMPLE_VIDEO, 'video/mp4', 'meeting.mp4');
}

/** A refused link is answered with XML, as cloud storages do (docs/service/documents.md#links). */
function download(call: Call): File {
	const { world, params } = call;
	const denied = '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>';
	if (!isValidLink(world, call.path)) throw new Refusal(403, denied, 'application/xml');
	if (params.sort === 'image') return new File(SAMPLE_IMAGE, 'image/png', `${params.name}.png`);
	if (params.sort === 'trail')
		return new File(samplePdf(`Audit trail of ${params.name}`), 'application/pdf', 'audit.pdf');
	for (const { documents } of world.transactions.values()) {
		const found = documents.find((one) => one.id === params.name);
		if (found) return new File(found.content, 'application/pdf', 'document.pdf');
	}
	throw new Refusal(404, denied.replace('AccessDenied', 'NoSuchKey'), 'application/xml');
}

function listNotaries(call: Call): Json[] {
	const state = call.platform === 'business' ? call.query.get('us_state_abbr') : null;
	const all = [...call.world.notaries.values()];
	return all.filter((one) => !state || one.us_state_abbr === state.toUpperCase());
}

function findNotary(call: Call): Json {
	return call.world.notaries.get(bare(call.params.id)) ?? refuse(404, 'Not Found');
}

function addNotary(call: Call): Json {
	const { world, body } = call;
	for (const name of ['email', 'first_name', 'last_name', 'us_state_abbr'])
		if (!body[name] || typeof body[name] !== 'string') refuse(422, 'Notary cannot be added');
	if (!/^[A-Za-z]{2}$/.test(body.us_state_abbr)) refuse(422, 'Notary cannot be added');
	const { email, first_name, middle_name, last_name } = body;
	const us_state_abbr = body.us_state_abbr.toUpperCase();
	const notary = world.addNotary(
		compact({ email, first_name, middle_name, last_name, us_state_abbr }),
	);
	world.note('notary.added', notary.id, call.number, email);
	return notary;
}

/** The one success that isn't 200 (docs/service/notarization.md#delete-a-notary). */
function deleteNotary(call: Call): undefined {
	const notary = findNotary(call);
	call.world.notaries.delete(bare(notary.id));
	call.world.note('notary.deleted', notary.id, call.number, notary.email);
}

const VIDEO = '/transactions/:id/notarization_records/:recordId/download_asset';

export const recordRoutes = [
	...route('GET', 'B', '/notarization_records', 'page', listRecords),
	...route('GET', 'BR', '/notarization_records/:id', 'object', getRecord),
	...route('GET', 'V', VIDEO, 'file', video),
	...route('GET', 'V', `${VIDEO}/:asset`, 'file', video),
	...route('GET', 'F', '/files/:sort/:name', 'file', download),
	...route('GET', 'BN', '/notaries', 'list', listNotaries),
	...route('POST', 'BN', '/notaries', 'object', addNotary),
	...route('GET', 'BN', '/notaries/:id', 'object', findNotary),
	...route('DELETE', 'BN', '/notaries/:id', 'none', deleteNotary),
	...route('GET', 'BR', '/transactions/:id/notaries', 'list', (call) => {
		findTransaction(call);
		return listNotaries({ ...call, platform: 'realEstate' });
	}),
];
