export const twice = (text) => `${text}${text}`;

export default twice;
