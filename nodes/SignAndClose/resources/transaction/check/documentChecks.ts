import type { DocumentAnswer } from '../../../transport/answers/shapes';
import { asText } from '../../../values/json';
import { readReference } from '../../../values/reference';
import { OFFICIAL_SIGNER } from '../../document/places/signers';
import { listFlagWords, isEnote, isFailed } from '../../document/api';
import { formatSignerName } from '../../signer/api';
import {
	DOCUMENTS_NOT_SHOWN,
	sayMissing,
	quoteDocuments,
	onDocuments,
	onSigners,
	sayOk,
	addOk,
	getDocuments,
	sayUnknown,
	sayWarning,
	type Facts,
	type Finding,
	type CheckRule,
} from './findings';
import { isUnplacedCopy, PLACES_REMEDY } from './unplaced';
import { listOwners, needsAnyNotary } from './notaryChecks';

/* The documents of a transaction (docs/service/documents.md#document-answer). */

const readReferredContent = ({ tracking_id: reference }: DocumentAnswer) =>
	readReference(reference)?.content;

/** Documents of which two or more have the same. */
function findEqual(
	documents: DocumentAnswer[],
	readKey: (document: DocumentAnswer) => string | undefined,
): DocumentAnswer[][] {
	const groups = new Map<string, DocumentAnswer[]>();
	for (const document of documents) {
		const key = readKey(document);
		if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), document]);
	}
	return [...groups.values()].filter(({ length }) => length > 1);
}

/** Documents that may be there twice: by the content that references tell, or else by their name. */
function warnOfEqual(documents: DocumentAnswer[]): Finding[] {
	const remedy = "If only one is needed, delete the other with 'Document: Delete'";
	const sameName = findEqual(documents, ({ document_name: name }) => asText(name));
	return [
		...findEqual(documents, readReferredContent).map((equal) =>
			sayWarning(`${quoteDocuments(equal)} have the same content`, remedy),
		),
		...sameName
			.filter((equal) => equal.some((document) => readReferredContent(document) === undefined))
			.map((equal) =>
				sayWarning(
					`${equal.length} documents have the name ${quoteDocuments(equal.slice(0, 1))}`,
					remedy,
				),
			),
	];
}

/** docs/service/transactions.md#create-a-business-transaction */
export const checkDocuments = onDocuments((all, { transaction }) => {
	if (all.length > 0)
		return addOk(
			warnOfEqual(all),
			all.length === 1 ? 'There is 1 document' : `There are ${all.length} documents`,
		);
	const forms = transaction.documents?.length ?? 0;
	return sayMissing(
		forms > 0 ? "There's no document besides the consent forms" : "There's no document",
		"Add one with 'Document: Add'. One that is split by its bookmarks appears after some minutes",
	);
});

const STATES = new Set<unknown>(['pending', 'done']);

/** A check of how far each document is processed. Where the service shows no known state, it's unknown. */
const onProcessing = (check: (document: DocumentAnswer) => Finding | undefined, good: string) =>
	onDocuments((all) => {
		const findings = all.flatMap((document) => check(document) ?? []);
		const unread = all.filter(
			(document) => !STATES.has(document.processing_state) && !isFailed(document),
		);
		if (unread.length > 0)
			findings.push(
				sayUnknown(`The service doesn't show whether ${quoteDocuments(unread)} can be processed`),
			);
		return addOk(findings, good);
	});

export const checkPending = onProcessing((document) => {
	if (document.processing_state !== 'pending' || isFailed(document)) return undefined;
	return sayMissing(
		`The service is still processing ${quoteDocuments([document])}`,
		"Check again in a minute. 'Transaction: Send' waits for it",
		document,
	);
}, 'No document is still being processed');

export const checkFailed = onProcessing((document) => {
	if (!isFailed(document)) return undefined;
	const reason = asText(document.processing_error);
	return sayMissing(
		`The service can't process ${quoteDocuments([document])}${reason === undefined ? '' : `: ${reason}`}`,
		"Delete it with 'Document: Delete', and add a corrected file with 'Document: Add'",
		document,
	);
}, 'The service can process each document');

/** Whether signers sign a document online, by themselves. */
export const isEsigned = (document: DocumentAnswer) =>
	!isEnote(document) && (document.requirement === 'esign' || document.esign_required === true);

/** Signing requirements that override the documents with something else than signing. */
export const SIGNS_NOTHING = new Set<unknown>(['identify', 'verify']);

/**
 * Whether a signer has a place in a document; undefined where nothing shows it. Text tags become
 * places when the document is processed (docs/service/documents.md#text-tags).
 */
function hasPlace(document: DocumentAnswer): boolean | undefined {
	const words = listFlagWords(document);
	if (words?.includes('CUSTOMER_CAN_ANNOTATE')) return true;
	const owners = listOwners(document);
	if (owners === undefined) return undefined;
	if (owners.some((signer) => signer !== undefined && !OFFICIAL_SIGNER.test(signer))) return true;
	// Without a name, it may be the notary's.
	if (owners.includes(undefined)) return undefined;
	// Where a flag alone asks for a signature, the notary may place it.
	const isKnown = document.requirement === 'esign' && words !== undefined;
	return isKnown && document.processing_state === 'done' ? false : undefined;
}

/** Whether the closing team sets the places to sign (docs/service/closings.md#closing-team). */
const arePrepared = ({ platform, skipsClosingTeam }: Facts): boolean =>
	platform === 'realEstate' && skipsClosingTeam !== true;

/** docs/service/errors.md#texts-worth-a-remedy, docs/service/closings.md#closing-team */
export const checkPlaces = onDocuments((all, facts) => {
	const signers = facts.transaction.signers ?? [];
	if (
		signers.length > 0 &&
		signers.every(({ signing_requirement: requirement }) => SIGNS_NOTHING.has(requirement))
	)
		return sayOk('The signers only show who they are');
	const esigned = all.filter(isEsigned);
	if (esigned.length === 0) return sayOk('No document is e-signed, so none needs a place to sign');
	const ofOthers = esigned.filter((document) => !isUnplacedCopy(document));
	const unplaced = ofOthers.filter((document) => hasPlace(document) === false);
	const hidden = ofOthers.filter((document) => hasPlace(document) === undefined);
	const isPrepared = arePrepared(facts);
	const findings = unplaced.map((document) =>
		isPrepared
			? sayUnknown(
					`${quoteDocuments([document])} has no place to sign yet. The closing team may add it`,
					document,
				)
			: sayMissing(
					`${quoteDocuments([document])} has no place to sign`,
					"Delete it, and add it again with 'Where to Sign' of 'Document: Add'",
					document,
				),
	);
	if (hidden.length > 0)
		findings.push(
			sayUnknown(
				`The service doesn't show whether ${quoteDocuments(hidden)} ${hidden.length === 1 ? 'has' : 'have'} a place for a signer`,
			),
		);
	const subject = ofOthers.length === esigned.length ? 'Each document' : 'Each other document';
	return addOk(findings, `${subject} that is signed without a notary has a place to sign`);
});

/** What is e-signed and nobody prepares can't be signed (docs/corrections.md#one-expired-or-was-declined-start-over). */
export const checkCopiedPlaces = onDocuments((all, facts) => {
	const isPrepared = arePrepared(facts);
	const copied = all.filter(isUnplacedCopy);
	const isCertain = (document: DocumentAnswer) =>
		!isPrepared && isEsigned(document) && hasPlace(document) === false;
	const remedy = `Before you send it, ${PLACES_REMEDY}${isPrepared ? ', or make sure that the closing team does it' : ''}`;
	const describe = (documents: DocumentAnswer[]) =>
		`'Transaction: Copy' couldn't take over the places to sign of ${quoteDocuments(documents)}, and the service shows none since`;
	const certain = copied.filter(isCertain);
	const uncertain = copied.filter((document) => !isCertain(document));
	const findings = certain.map((document) => sayMissing(describe([document]), remedy, document));
	if (uncertain.length > 0) findings.push(sayWarning(describe(uncertain), remedy));
	return addOk(findings, 'No document of a copy lacks the places to sign of the old one');
});

/**
 * Who only signs online, without a notary who could have them sign elsewhere, needs a place
 * (docs/service/errors.md#texts-worth-a-remedy). The closing team of a closing adds them.
 */
export const checkSignerPlaces: CheckRule = (facts) =>
	facts.platform === 'realEstate'
		? sayOk('The closing team adds places to sign')
		: checkPlacesOfSigners(facts);

const checkPlacesOfSigners = onSigners((signers, facts) => {
	const all = getDocuments(facts);
	if (all === undefined) return sayUnknown(DOCUMENTS_NOT_SHOWN);
	if (needsAnyNotary(facts) === true) return sayOk('A notary meets the signers');
	const esigned = all.filter(isEsigned);
	const annotated = esigned.some((document) =>
		listFlagWords(document)?.includes('CUSTOMER_CAN_ANNOTATE'),
	);
	if (esigned.length === 0 || annotated)
		return sayOk('Signers choose where they sign, or sign nothing');
	const isHidden = esigned.some(
		(document) =>
			document.processing_state === 'pending' ||
			listOwners(document)?.includes(undefined) !== false,
	);
	const owners = new Set(esigned.flatMap((document) => listOwners(document) ?? []));
	const unplaced = signers.filter(
		({ external_id: id, signing_requirement: requirement }) =>
			!SIGNS_NOTHING.has(requirement) && !owners.has(asText(id)?.trim()),
	);
	return addOk(
		unplaced.map((signer) =>
			isHidden
				? sayUnknown(
						`The service doesn't show whether ${formatSignerName(signer)} has a place to sign`,
					)
				: sayMissing(
						`${formatSignerName(signer)} has nothing to sign`,
						"Give them a place with 'Where to Sign' of 'Document: Add', or remove them with 'Transaction: Update'",
					),
		),
		'Each signer has a place to sign',
	);
});
