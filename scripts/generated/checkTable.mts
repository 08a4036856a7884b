import { fileURLToPath } from 'node:url';

import {
	CHECKS,
	type Check,
	type Code,
} from '../../nodes/SignAndClose/resources/transaction/check/checks.ts';
import { generatedPage, tableOf, type Page } from './page.mts';

/** The table of docs/check.md, which `npm run generate` writes from the checks of the node. */

const PAGE = fileURLToPath(new URL('../../docs/check.md', import.meta.url));
const TITLES = ['Code', 'Asks', 'Shown by', '`missing`', '`warning`', '`unknown`'];

/** Values and names of the service have an underscore, other words don't. */
const asCode = (text = '') => text.replace(/\b\w+_\w+\b/g, '`$&`');
/** A field, or an operation of the node. */
const asField = (field: string) => (field.includes(': ') ? `**${field}**` : `\`${field}\``);

/** What a check asks, and when it's in each of these states; without such a text, it never is. */
interface Words {
	asks: string;
	missing?: string;
	warning?: string;
	unknown?: string;
}

export const WORDS: Record<Code, Words> = {
	draft: {
		asks: 'Is it a draft?',
		missing: 'sent, or ended',
		unknown: 'no known state shown',
	},
	expiration: {
		asks: 'Does it expire in the future, or never?',
		missing: 'in the past',
		unknown: 'not shown by a service that shows only documented fields; a time without a zone',
	},
	activation: {
		asks: 'Does the time to sign begin before it ends?',
		missing: 'at or after the expiration',
		unknown: 'as for the expiration',
	},
	signers: {
		asks: 'Are there 1 to 10 signers?',
		missing: 'none, unless the type is wet_sign; or more than 10',
		unknown: 'not shown; none, and no type shown',
	},
	signer_email: {
		asks: 'Does each signer have an email address, or a shared inbox?',
		missing: 'not a complete address; empty, and the service shows that there is no shared inbox',
		unknown: 'not shown; empty, as for a cosigner or a shared inbox that is not shown',
	},
	signer_phone: {
		asks: 'Does each signer have a phone number, where codes are sent by text message?',
		missing: 'none, and the identity checks for an e-sign document show a code by text message',
		unknown: 'none, and nothing shows whether there are codes',
	},
	external_ids: {
		asks: 'Is each external ID that of one signer only?',
		missing: 'two signers have the same one',
		unknown: 'not shown',
	},
	designation_signers: {
		asks: 'Does each designation belong to a signer, the notary or a witness?',
		missing: 'no signer has the external ID',
		unknown: 'not shown whose they are, as on real estate',
	},
	documents: {
		asks: "Is there a document? The service's own consent forms don't count.",
		missing: 'none',
		warning: 'two have the same content, as far as references tell it, or else the same name',
		unknown: 'not shown',
	},
	document_pending: {
		asks: 'Has the service processed each document?',
		missing: 'pending',
		unknown: 'not shown, or another word',
	},
	document_failed: {
		asks: 'Can the service process each document?',
		missing: 'failed, or with a processing_error',
		unknown: 'not shown, or another word',
	},
	places_to_sign: {
		asks: 'Does each e-sign document have a place to sign, or a signer who places it?',
		missing: 'none on business, or in a closing that is sent without the closing team',
		unknown:
			'none in a closing, whose team adds them; not shown, or not whose; not processed yet; wanted by a flag alone',
	},
	copied_places: {
		asks: 'Does each document that Copy has added have places to sign, if the old one had some?',
		missing:
			'none in an e-sign document on business, or in a closing that is sent without the closing team',
		warning: 'none in another document, or in a closing, whose team may add them; not shown',
		unknown: 'the documents are not shown',
	},
	signer_places: {
		asks: 'Does each signer who only e-signs have something to sign? Closings have a closing team for that.',
		missing: 'no place in any e-sign document, and no document that signers annotate',
		unknown: 'not shown whose the places are; not processed yet',
	},
	notarization: {
		asks: 'Does a document need a notary, or confirm an identity?',
		warning:
			'none does, and neither type nor config_id is one without a notary; on Business, a notarized document has places to sign, and none for the notary',
		unknown: 'not shown',
	},
	notary: {
		asks: 'Can a notary meet the signers, if one is needed?',
		warning: 'the list is empty',
		unknown: "the list can't be read; not shown whether one is needed",
	},
	title_agency: {
		asks: "Does a lender's closing have a title agency or a title agent?",
		missing: 'none, in the run of Create and Send that has created it',
		unknown: 'neither of the two shown, and no sign that the account is no lender',
	},
	enote: {
		asks: "Does a lender's refinance or purchase with a loan have an eNote, or the consent to a note on paper?",
		warning: 'a lender is shown, and no eNote: no answer shows paper_note_consent',
		unknown: 'as before, and no lender or no type shown',
	},
	enote_names: {
		asks: "Is each person in the eNote's file a signer? Only with 'eNote File'.",
		warning: 'no signer has the name',
		unknown: 'signers not shown; the file names nobody in a form that is known',
	},
	recording_jurisdiction: {
		asks: 'Can the property be closed online where it is recorded?',
		warning: "not eligible, or not among the address's",
		unknown: "no complete address or type shown; the question can't be answered",
	},
	order_progress: {
		asks: 'Does the closing team go on?',
		missing: 'on_hold_enote, on_hold_name_discrepancy, on_hold_final_cd, on_hold_other',
		warning: 'awaiting_lender_approval; on hold, in a draft',
		unknown: 'not shown of what is no draft; another word',
	},
};

/** The page now, and as it should be. */
export async function checkPage(): Promise<Page> {
	const rows = Object.entries<Check>(CHECKS).map(([code, { fields, realEstate }]) => {
		const { asks, missing, warning, unknown } = WORDS[code as Code];
		return [
			`\`${code}\``,
			realEstate === true ? `Closings: ${asks}` : asks,
			fields.map(asField).join(', '),
			...[missing, warning, unknown].map(asCode),
		];
	});
	return await generatedPage(PAGE, () => tableOf([TITLES, ...rows]));
}
