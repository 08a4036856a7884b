import type { Fields } from './memory.mts';

/**
 * What requests name, by the names of answers
 * (docs/service/transactions.md#request-names-and-answer-names).
 */

/** Fields of a transaction that no answer has. */
const UNANSWERED = [
	'draft',
	'suppress_email',
	'require_new_signer_verification',
	'skip_closing_ops',
	'paper_note_consent',
	'jurisdiction_eligibility_consent',
	'authentication_requirement',
	'pdf_bookmarked',
	'document_url_version',
	'allow_signer_annotations',
	'documents',
	'document',
	'signer',
	'signers',
	'cosigner',
];

/** The known part of a transaction's answer, without its signers and documents. */
export function answeredTransaction(body: Fields, realEstate: boolean): Fields {
	const {
		redirect,
		require_secondary_id,
		require_secondary_photo_id = require_secondary_id,
		recording_jurisdiction_id: jurisdiction,
		title_agency_id: agency,
		title_underwriter_id: underwriter,
		street_address: address,
		expiration_time: end,
		activation_time: begin,
		...rest
	} = body;
	const same = Object.fromEntries(
		Object.entries(rest).filter(([name]) => !UNANSWERED.includes(name)),
	);
	return {
		...same,
		...(redirect !== undefined && {
			redirect: { redirect_url: redirect.url, redirect_msg: redirect.message },
		}),
		...(require_secondary_photo_id !== undefined && {
			require_secondary_photo_id: String(require_secondary_photo_id) === 'true',
		}),
		...(jurisdiction !== undefined && { recording_jurisdiction: { id: jurisdiction } }),
		...(agency !== undefined && { title_agency: { id: agency } }),
		...(underwriter !== undefined && { title_underwriter: { id: underwriter } }),
		...(address !== undefined && { street_address: answeredAddress(address) }),
		// A closing ends with its day, and begins with it (docs/service/transactions.md#times).
		...(end !== undefined && { expiration_time: `${end.slice(0, 10)}T23:59:59Z` }),
		...(begin !== undefined && {
			activation_time: realEstate ? `${begin.slice(0, 10)}T00:00:00.000Z` : begin,
		}),
	};
}

function answeredAddress({ zip_code, ...address }: Fields): Fields {
	const { line1, line2, city, state, postal = zip_code, country } = address;
	const full_address = [line1, line2, city, `${state ?? ''} ${postal ?? ''}`.trim()]
		.filter((part) => part)
		.join(', ');
	return { line1, line2, city, state, postal, country, full_address };
}

/** The known part of each signer's answer, in order; undefined when the request has none. */
export function answeredSigners({ signer, signers, cosigner }: Fields): Fields[] | undefined {
	const given: Fields[] = signers ?? [signer, cosigner].filter((entry) => entry !== undefined);
	if (given.length === 0) return undefined;
	return given.map(({ phone_number, ...entry }) => ({
		email: '',
		...entry,
		...(phone_number !== undefined && { phone: splitPhone(String(phone_number)) }),
	}));
}

function splitPhone(text: string): Fields {
	const digits = text.replace(/\D/g, '');
	return { country_code: digits.slice(0, -10) || '1', number: digits.slice(-10) };
}

/** Fields of a document that an answer has as a word of allowed_actions. */
const WORDS: Record<string, string> = {
	witness_required: 'WITNESS_REQUIRED',
	notarization_required: 'NOTARIZATION_REQUIRED',
	customer_can_annotate: 'CUSTOMER_CAN_ANNOTATE',
};

/** The known part of a document's answer after a request, with what was known before. */
export function answeredDocument(body: Fields, before: Fields = {}): Fields {
	const after = { ...before };
	for (const [name, value] of Object.entries(body)) {
		if (['filename', 'name'].includes(name)) after.document_name = value;
		else if (KEPT.includes(name)) after[name] = value;
		if (FLAGS.includes(name)) after[name] = String(value) === 'true';
	}
	const words: Set<string> = new Set(before.allowed_actions ?? []);
	for (const [name, word] of Object.entries(WORDS)) {
		if (body[name] === undefined) continue;
		if (String(body[name]) === 'true') words.add(word);
		else words.delete(word);
	}
	if (body.signing_designations !== undefined)
		after.signing_designations = body.signing_designations.map(() => ({}));
	return { ...after, allowed_actions: [...words], permissions: [...words] };
}
const KEPT = ['requirement', 'tracking_id', 'bundle_position'];
const FLAGS = [
	'esign_required',
	'identity_confirmation_required',
	'notarization_required',
	'vaulted',
];

/** The known part of a webhook's answer. */
export function answeredWebhook({
	signing_key: _key,
	oauth_config: oauth,
	...body
}: Fields): Fields {
	const headers: string[] = body.headers ?? (body.header ? [body.header] : []);
	return {
		...body,
		header: headers[0] ?? '',
		headers,
		request_id_header_name: body.request_id_header_name ?? 'X-Request-Id',
		...(oauth && {
			oauth: { enabled: true, token_url: oauth.oauth_token_url, client_id: oauth.client_id },
		}),
	};
}
