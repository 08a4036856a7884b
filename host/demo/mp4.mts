/** The boxes that every playable MP4 has: file type, index and content. */
const REQUIRED_BOXES = ['ftyp', 'moov', 'mdat'];
const HEADER_BYTES = 8;
const LONG_HEADER_BYTES = 16;

/**
 * Reads the boxes of an MP4.
 * @returns why a player could not play it, or undefined when it is complete
 */
export function findMp4Problem(bytes: Buffer): string | undefined {
	const found = new Set<string>();
	for (let offset = 0; offset < bytes.length;) {
		if (offset + HEADER_BYTES > bytes.length)
			return `it ends in the middle of a box, at byte ${offset}`;
		const type = bytes.toString('latin1', offset + 4, offset + HEADER_BYTES);
		const shortSize = bytes.readUInt32BE(offset);
		const hasLongSize = shortSize === 1;
		if (hasLongSize && offset + LONG_HEADER_BYTES > bytes.length)
			return `it ends in the middle of a box, at byte ${offset}`;
		let size = shortSize;
		// A size of 0 means that the box extends to the end of the file.
		if (shortSize === 0) size = bytes.length - offset;
		else if (hasLongSize) size = Number(bytes.readBigUInt64BE(offset + HEADER_BYTES));
		if (size < HEADER_BYTES || offset + size > bytes.length)
			return `its box '${type}' at byte ${offset} has a wrong size`;
		found.add(type);
		offset += size;
	}
	const missing = REQUIRED_BOXES.filter((type) => !found.has(type));
	return missing.length === 0
		? undefined
		: `it has no box ${missing.map((type) => `'${type}'`).join(', ')}`;
}
