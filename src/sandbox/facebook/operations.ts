import { ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import { graphRefusal } from "../parts/graph.ts";
import type { Audience } from "./audience.ts";
import type { Hooks } from "./hooks.ts";
import { pageJson } from "./logins.ts";
import type { SandboxPage, Scope } from "./pages.ts";
import type { Posts } from "./posts.ts";
import type { Videos } from "./videos.ts";

interface Call {
  request: SandboxRequest;
  page: SandboxPage;
  /** The id in the path. */
  id: string;
}

interface Operation {
  needs: readonly Scope[];
  /** True: the path begins with the Page's own id. */
  isOfPage?: true;
  run(call: Call): SandboxAnswer | Promise<SandboxAnswer>;
}

/** Operations by method and path, without the version. */
type Operations = Readonly<Record<string, Operation>>;

/** The parts that are accessible with a Page's token. */
interface Parts {
  posts: Posts;
  videos: Videos;
  audience: Audience;
}

/** All operations with a Page's token. */
export function operationsOn(parts: Parts): Operations {
  return {
    "GET /me": { needs: [], run: ({ page }) => ok(pageJson(page)) },
    "GET /:id": { needs: [], run: (call) => show(call, parts) },
    ...postOperations(parts.posts),
    ...videoOperations(parts.videos),
    ...audienceOperations(parts.audience),
    ...hookOperations(parts.audience.hooks),
  };
}

function show({ page, id }: Call, { posts, videos, audience }: Parts): SandboxAnswer {
  if (id === page.id) return ok(pageJson(page));
  const shown =
    videos.show(page, id) ??
    posts.show(page, id) ??
    audience.showMention(page, id) ??
    audience.messenger.showFan(page, id);
  if (shown === null) throw graphRefusal("100/33", `Unsupported get request. Object with ID '${id}' does not exist`);
  return shown;
}

function publishing(run: Operation["run"]): Operation {
  return { needs: ["pages_manage_posts", "pages_read_engagement"], isOfPage: true, run };
}

function postOperations(posts: Posts): Operations {
  return {
    "GET /:id/published_posts": {
      needs: ["pages_read_engagement"],
      isOfPage: true,
      run: ({ page, request }) => posts.listPosts(page, request.url),
    },
    "GET /:id/stories": {
      needs: ["pages_read_engagement"],
      isOfPage: true,
      run: ({ page, request }) => posts.listStories(page, request.url),
    },
    "GET /:id/comments": {
      needs: ["pages_read_engagement"],
      run: ({ page, id, request }) => posts.comments.list(page, id, request.url),
    },
    "POST /:id/feed": publishing(({ page, request }) => posts.feed(page, request)),
    "POST /:id/photos": publishing(({ page, request }) => posts.photos.upload(page, request)),
    "POST /:id/photo_stories": publishing(({ page, request }) => posts.photoStory(page, request)),
  };
}

function videoOperations(videos: Videos): Operations {
  return {
    "POST /:id/videos": publishing(({ page, request }) => videos.call(page, "videos", request)),
    "POST /:id/video_reels": publishing(({ page, request }) => videos.call(page, "video_reels", request)),
    "POST /:id/video_stories": publishing(({ page, request }) => videos.call(page, "video_stories", request)),
    "POST /:id/thumbnails": {
      needs: ["pages_manage_posts"],
      run: ({ page, id, request }) => videos.setThumbnail(page, id, request),
    },
    "POST /video-upload/:id": {
      needs: ["pages_manage_posts"],
      run: ({ page, id, request }) => videos.send(page, id, request),
    },
  };
}

function audienceOperations(audience: Audience): Operations {
  return {
    "GET /:id/conversations": {
      needs: ["pages_messaging"],
      isOfPage: true,
      run: ({ page, request }) => audience.messenger.list(page, request.url),
    },
    "GET /:id/tagged": {
      needs: ["pages_read_user_content"],
      isOfPage: true,
      run: ({ page, request }) => audience.listMentions(page, "tagged", request.url),
    },
    "GET /:id/visitor_posts": {
      needs: ["pages_read_user_content"],
      isOfPage: true,
      run: ({ page, request }) => audience.listMentions(page, "visitor_posts", request.url),
    },
    "POST /:id/messages": {
      needs: ["pages_messaging"],
      isOfPage: true,
      run: ({ page, request }) => audience.send(page, request),
    },
    "POST /:id/comments": {
      needs: ["pages_manage_engagement"],
      run: ({ page, id, request }) => audience.comment(page, id, request),
    },
  };
}

function hookOperations(hooks: Hooks): Operations {
  return {
    "GET /:id/subscribed_apps": {
      needs: ["pages_manage_metadata"],
      isOfPage: true,
      run: ({ page }) => hooks.listApps(page),
    },
    "POST /:id/subscribed_apps": {
      needs: ["pages_manage_metadata"],
      isOfPage: true,
      run: ({ page, request }) => hooks.subscribe(page, request),
    },
    "DELETE /:id/subscribed_apps": {
      needs: ["pages_manage_metadata"],
      isOfPage: true,
      run({ page }) {
        hooks.switches.unsubscribe(page.id);
        return ok({ success: true });
      },
    },
  };
}
