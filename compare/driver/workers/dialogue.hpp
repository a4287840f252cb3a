// Asking a worker, and waiting for what it replies: not for ever, and not deaf to Ctrl-C.
#pragma once

#include <functional>
#include <string>

#include "compare/driver/workers/worker_process.hpp"
#include "reports/text/complaint.hpp"

namespace ladder {

// No reply within the time allowed.
struct WorkerSilent : reports::Complaint {
  using Complaint::Complaint;
};

// The worker answered {"error": sentence}; the message is the sentence.
struct WorkerRefused : reports::Complaint {
  using Complaint::Complaint;
};

// A question with one reply: a request, or the name of one that is nothing but its name. Throws
// WorkerSilent, WorkerRefused, WorkerEnded, MalformedReply or Interrupted.
json ask(Worker& worker, const json& request, milliseconds longest_silence);
json ask(Worker& worker, const char* what, milliseconds longest_silence);

// What a reply says, which should be a string.
std::string sentence(const json& said);

// For a person who waits too: called once where a reply takes as long as this, and again where the
// worker, asked for it, says where it is; empty until then.
using OnSilence = std::function<void(const std::string& where)>;
constexpr std::chrono::seconds long_silence{10};

// The reply to what was asked, or the next one. Where it is asked is no reply.
json await_reply(Worker& worker, milliseconds longest_silence, const OnSilence& on_silence = {});

// Takes one reply about a rung, such as {"sample":{..}}: its name and what it holds. False: a reply
// of this name has no meaning here.
using OnReply = std::function<bool(const std::string& name, const json& content)>;

// A question with many replies: sends the request under its name, and gives each reply to on_reply
// up to {"done":true}. in_flight, where one is given: the rung that the worker began last, empty
// before the first. Throws as ask() does; MalformedReply too for a reply about a rung that the
// request does not name, and where on_reply returns false or throws what a reply of the wrong shape
// does: std::invalid_argument, a JSON exception.
void converse(Worker& worker, const char* what, json request, milliseconds longest_silence,
              const OnReply& on_reply, std::string* in_flight = nullptr,
              const OnSilence& on_silence = {});

}  // namespace ladder
