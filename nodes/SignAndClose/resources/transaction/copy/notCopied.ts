import type { IDataObject } from 'n8n-workflow';

import { joinHints } from '../../../form/hints';
import type { DocumentAnswer } from '../../../transport/answers/shapes';
import { isBlank } from '../../../values/comparison';
import { isPersonalReference } from '../../../values/reference';
import { describeFile } from '../../document/api';
import { PLACES_REMEDY } from '../check/unplaced';
import { WHERE_TO_SIGN } from '../createAndSend/documentComparison';

/* What a copy doesn't have of the transaction that it's made of, field by field. */

/** Why, for a person who reads it in parentheses. */
export const REASONS = {
	hidden: "the service doesn't show it",
	hiddenPlaces: "the service doesn't show where they were",
	trackedPlaces:
		"the service doesn't show where they were; beside a Tracking ID, only 'Document: Add' sets them",
	unknownPlaces: "the service doesn't show whether there were any",
	past: "it's in the past",
	keptByOld: 'the old one keeps it',
	unknown: "the node doesn't know this field",
	ownForm: 'the service adds its own',
	enote: 'an eNote is never copied',
	signed: 'somebody has signed',
	begun: 'somebody has begun to sign',
	unproven: 'nothing proves that the file is the one that was uploaded',
	noFile: "the service doesn't give the file",
	severalFiles: 'several files of the item have its name',
	tags: 'the service reads the tags of the file',
	otherFile: "the item's file may have other places",
	sent: 'the copy was sent without it',
} as const;

export type NotCopiedReason = keyof typeof REASONS;

/** A field that wasn't copied. */
export interface NotCopied {
	/** Whose it is: signers or documents, by name; empty for the transaction itself. */
	subject: string;
	/** The field as the form calls it, or a document as a whole. */
	field: string;
	/** What the old transaction has, where it shows that. */
	value?: unknown;
	reason: NotCopiedReason;
}

/** What a document as a whole is called among the fields. */
export const WHOLE_DOCUMENT = 'Document';

/** Without its places, a copy would be sent with nothing to sign. */
const LOST_PLACES: ReadonlySet<NotCopiedReason> = new Set([
	'hiddenPlaces',
	'trackedPlaces',
	'unknownPlaces',
	'otherFile',
]);

/** What a copy lacks of a document whose places no answer shows. */
export const buildLostPlaces = (document: DocumentAnswer): NotCopied => ({
	subject: describeFile(document).name,
	field: WHERE_TO_SIGN,
	reason: isPersonalReference(document.tracking_id) ? 'trackedPlaces' : 'hiddenPlaces',
});

export const isLostPlaces = ({ reason }: NotCopied): boolean => LOST_PLACES.has(reason);

/**
 * The same field of several signers or documents, of which nothing is shown, is told once. Lost places come
 * first, and what each copy lacks comes last.
 */
export function groupNotCopied(entries: NotCopied[]): NotCopied[] {
	const groups: NotCopied[] = [];
	for (const entry of entries) {
		const group = groups.find(
			({ field, reason, value }) =>
				field === entry.field && reason === entry.reason && isBlank(value) && isBlank(entry.value),
		);
		if (group === undefined || entry.subject === '') groups.push({ ...entry });
		else group.subject = `${group.subject}, ${entry.subject}`;
	}
	const rank = (entry: NotCopied) => (isLostPlaces(entry) ? 0 : USUAL.has(entry.reason) ? 2 : 1);
	return groups.sort((left, right) => rank(left) - rank(right));
}

/** Entries for the output. */
export const toNotCopiedOutput = ({ subject, field, value, reason }: NotCopied): IDataObject => ({
	subject,
	field,
	value: (value ?? null) as IDataObject[string],
	reason: REASONS[reason],
});

/** What each copy lacks, so that nobody has to be told of it. */
const USUAL: ReadonlySet<NotCopiedReason> = new Set(['hidden', 'ownForm']);

const WITH_FILE = 'Give the item a file of the same name, and run the workflow again';
const REMEDIES: Partial<Record<NotCopiedReason, string>> = {
	past: "Set new times in 'Additional Fields'",
	enote: "Add the eNote with 'eNote: Add'",
	unproven:
		"Give the item a file of the same name, or turn on 'Copy Files Unproven', and run the workflow again",
	noFile: WITH_FILE,
	signed: WITH_FILE,
	begun: WITH_FILE,
};

/** Says what wasn't copied, and what to do about it. */
export function describeNotCopied(entries: NotCopied[]): string | undefined {
	const lostPlaces = entries.filter(isLostPlaces);
	const places = lostPlaces.map(({ subject, reason }) => `${subject} (${REASONS[reason]})`);
	const remarkable = entries.filter((entry) => !USUAL.has(entry.reason) && !isLostPlaces(entry));
	const texts = remarkable.map(
		({ subject, field, reason }) =>
			`${field === WHOLE_DOCUMENT ? subject : [field, subject].filter(Boolean).join(' of ')} (${REASONS[reason]})`,
	);
	const remedies = new Set(remarkable.map(({ reason }) => REMEDIES[reason]));
	return joinHints([
		places.length > 0 && `No places to sign in the copy: ${places.join(', ')}`,
		lostPlaces.some(({ reason }) => reason !== 'trackedPlaces') &&
			`Before you send it, ${PLACES_REMEDY}`,
		texts.length > 0 && `Not copied: ${texts.join(', ')}`,
		...remedies,
	]);
}
