// Small helpers to build the page: elements, and words for what the sandbox sends.

/** Names with a hyphen become attributes, all others properties. */
export function element(tag, props = {}, ...children) {
	const node = Object.assign(document.createElement(tag), props);
	for (const [name, value] of Object.entries(props))
		if (name.includes('-')) node.setAttribute(name, value);
	node.append(
		...children.filter((child) => child !== null && child !== undefined && child !== false),
	);
	return node;
}

export const text = (tag, className, textContent) => element(tag, { className, textContent });
export const emptyNote = (words) => text('p', 'empty', words);
export const inWords = (name) => name.replaceAll('_', ' ');
export const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;
