import { groupBoardId } from "../../../src/sandbox/pinterest/state.ts";
import { type OptionExamples, withPhoto, withVideo } from "../option-examples.ts";

export const options: OptionExamples = {
  board_id: { value: groupBoardId, post: withPhoto },
  board_section_id: {
    options({ sandbox, account }) {
      const { board_id, section_ids } = sandbox.pinterest.addBoard({
        members: [account],
        name: "Bread",
        sections: ["Rye"],
      });
      return { board_id, board_section_id: section_ids[0] };
    },
    post: withPhoto,
  },
  cover_image_url: { value: ({ photo }) => photo, post: withVideo },
  cover_image_key_frame_time: { value: 1, post: withVideo },
  dominant_color: { value: "#6E7874", post: withPhoto },
  ai_disclosures: { value: ["AI_MODIFIED"], post: withPhoto },
};
