import type { Occurrence } from '../../../../pdf/search/phrases';
import type { PdfPage, UnreadPart } from '../../../../pdf/pages';
import { joinWithAnd, toCapitalized } from '../../../../values/words';
import { UNREADABLE_REASONS } from '../../files/bytes';
import type { TextDesignation } from '../designations';
import { formatRanges, isInRanges } from '../pageRanges';
import { namePages } from '../pages';
import type { WhereToSign } from '../whereToSign';

/* What of pages isn't read, so that a text may stand there, too. */

export type Pages = Array<Omit<PdfPage, 'runs'>>;

/** What of the form is about all texts. */
export type TextOptions = Pick<WhereToSign, 'points' | 'trustsRecognized'>;

/** Whether a page may have the text where the node can't read it. A person may have looked at its pictures. */
export function isUnread(
	{ ignorePicturesOn }: TextDesignation,
	page: Pages[number],
	count: number,
	{ trustsRecognized }: TextOptions,
): boolean {
	if (page.kind === 'unreadable') return true;
	const ignoresPictures = isInRanges(ignorePicturesOn, page.number, count);
	return page.unread.some((part) =>
		part === 'recognized'
			? !trustsRecognized && !ignoresPictures
			: part !== 'picture' || !ignoresPictures,
	);
}

/** Says what to enter for pages that are in doubt to be left out, or to count as looked at. */
export function describeWayOut(searched: Pages, inDoubt: Pages, matches: Occurrence[]): string {
	const doubtful = new Set(inDoubt.map(({ number }) => number));
	const certain = searched.map(({ number }) => number).filter((number) => !doubtful.has(number));
	const canLeaveOut = matches.some(({ page }) => !doubtful.has(page));
	const scans = inDoubt.filter((page) => page.unread.join() === 'recognized');
	const pictures = inDoubt.filter((page) => page.unread.join() === 'picture');
	const choices = [
		...(canLeaveOut ? [`enter ${formatRanges(certain)} in 'Pages' to leave these pages out`] : []),
		...(scans.length > 0
			? [
					`turn on 'Trust Recognized Text' if the text of ${namePages(scans.map(({ number }) => number))} is right`,
				]
			: []),
		...(pictures.length + scans.length === inDoubt.length
			? [
					`look at them and enter ${formatRanges([...doubtful])} in 'Ignore Pictures On' if the text isn't in a picture`,
				]
			: []),
		"choose First or Last in 'Occurrence' if they come after or before the text",
	];
	return toCapitalized(choices.join(', or '));
}

const UNREAD_PARTS: Record<UnreadPart, string> = {
	picture: 'a large picture, which may hold text',
	recognized: 'text that nobody sees, as another program recognized it in a picture',
	letters: 'letters that only its fonts know',
	annotation: "a form field or a text box that can't be read",
};

export function describeUnread({ number, kind, reason, unread }: Pages[number]): string {
	if (kind === 'partly')
		return `page ${number} has ${joinWithAnd(unread.map((part) => UNREAD_PARTS[part]))}`;
	return `page ${number} ${reason === undefined ? 'is a scan' : UNREADABLE_REASONS[reason]}`;
}
