import { asObject, asText } from '../../values/json';
import { nameFrom, pagedSearch } from '../shared/lists';

/** Lists the notarization records, page by page, by day, signer and notary. */
export const searchRecords = pagedSearch({
	name: 'listRecords',
	toChoice: ({ id, meeting_start: start, notary_name: notary, signer_info: info }) => {
		const { first_name: first, last_name: last, email } = asObject(info);
		const signer =
			[asText(first), asText(last)].filter((part) => part !== undefined).join(' ') || asText(email);
		const value = asText(id);
		return {
			name: nameFrom([asText(start)?.slice(0, 10), signer, asText(notary)], value),
			value,
		};
	},
});
