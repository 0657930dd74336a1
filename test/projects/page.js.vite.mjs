export default {
  build: { lib: { entry: "page.js", formats: ["iife"], name: "page", fileName: "page" } },
};
