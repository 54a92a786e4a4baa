# frozen_string_literal: true

# Checks arguments and return values of public methods against sig/ while a program runs: ruby -r ./lint/typed_calls.
# Nothing is wrapped (a wrapped block has other parameters, a wrapped method another owner), calls are traced. Methods
# that are written in C are traced when they return; their arguments are checked on the ruby backend, where they are
# Ruby.
require "rbs"
require "rbs/test"
require_relative "signatures"

# The calls that were seen, and what was wrong with them.
class TypedCalls
  # The methods of a class under check: its entry, its signature and what compares values with it.
  Target = Struct.new(:entry, :definition, :check)
  Call = Struct.new(:arguments, :block, :left)
  # Ruby before 3.2 does not trace a Struct's accessors and calls no detailed_message.
  UNSEEN = Exception.method_defined?(:detailed_message) ? [] : %w[Katsu::Fragment#json Katsu::Fragment#json=
                                                                  Katsu::Place#detailed_message]

  attr_reader :faults, :calls

  def initialize(entries = PublicAPI.entries, signatures = Signatures.new)
    RBS.logger_level = :error
    @faults = Hash.new(0)
    @calls = Hash.new(0)
    @targets = entries.filter_map { |entry| target_for(entry, signatures) }
  end

  def start
    in_c, in_ruby = @targets.partition { |target| RubyVM::InstructionSequence.of(target.entry.method).nil? }
    in_ruby.each { |target| trace(target) }
    trace_returns(in_c) if in_c.any?
    TracePoint.new(:raise) { leave }.enable
    TracePoint.new(:c_call) { |point| leave if point.method_id == :throw }.enable
    self
  end

  # Names of methods that were not called.
  def unused
    @targets.map { |target| target.entry.to_s } - @calls.keys - UNSEEN
  end

  private

  def target_for(entry, signatures)
    definition = signatures.definition_of(entry)
    check = RBS::Test::TypeCheck.new(
      self_class: entry.owner, builder: signatures.builder, sample_size: 5, unchecked_classes: [],
      instance_class: entry.owner, class_class: entry.owner.singleton_class
    )
    Target.new(entry, definition, check) if definition
  end

  def trace(target)
    TracePoint.new(:call, :return) do |point|
      point.event == :call ? stack.push(called(point)) : returned(target, stack.pop, point.return_value)
    end.enable(target: target.entry.method)
  end

  def trace_returns(targets)
    by_name = targets.group_by { |target| target.entry.name }
    TracePoint.new(:c_return) do |point|
      target = by_name[point.method_id]&.find { |one| native?(one, point) }
      # nil is also what a call gives that was left by an error or a throw.
      returned(target, nil, point.return_value) unless target.nil? || point.return_value.nil?
    end.enable
  end

  def native?(target, point)
    owner = target.entry.kind == :instance ? target.entry.owner : target.entry.owner.singleton_class
    point.defined_class.equal?(owner)
  end

  def stack
    Thread.current[:katsu_typed_calls] ||= []
  end

  # A call that is left by an error or a throw returns nothing.
  def leave
    stack.each { |call| call.left = true if call }
  end

  # Optional parameters that were left out are nil here.
  def called(point)
    frame = point.binding
    given = Hash.new { |hash, kind| hash[kind] = [] }
    point.parameters.each do |kind, name|
      given[kind] << [name, frame.local_variable_get(name)] if name && !%i[* ** &].include?(name)
    end
    optional = given[:opt].map(&:last)
    optional.pop until optional.empty? || !optional.last.nil?
    arguments = given[:req].map(&:last) + optional + (given[:rest].dig(0, 1) || []) + keywords(given)
    Call.new(arguments, given[:block].any? ? !given[:block][0][1].nil? : frame.eval("block_given?"))
  rescue NameError # a BasicObject as self has no local variables to ask for
    nil
  end

  def keywords(given)
    named = (given[:keyreq] + given[:key]).reject { |_, value| value.nil? }.to_h.merge(given[:keyrest].dig(0, 1) || {})
    named.empty? ? [] : [named]
  end

  # If the arguments are not known, only the value is compared.
  def returned(target, call, value)
    @calls[target.entry.to_s] += 1
    return if call&.left

    errors = call ? call_errors(target, call, value) : value_errors(target, value)
    errors.each { |error| @faults[error] += 1 }
  end

  def call_errors(target, call, value)
    value = call.arguments.last if target.entry.name.end_with?("=") # what an assignment's method returns is not seen
    trace = RBS::Test::CallTrace.new(
      method_name: target.entry.name, block_calls: [], block_given: call.block,
      method_call: RBS::Test::ArgumentsReturn.return(arguments: call.arguments, value: value)
    )
    target.check.overloaded_call(target.definition, "#{target.entry}", trace, errors: [])
          .map { |error| "#{RBS::Test::Errors.to_string(error)[0, 300]}; given #{shown(call.arguments)}" }
  end

  def shown(arguments)
    arguments.inspect[0, 100]
  rescue StandardError
    "what cannot be shown"
  end

  def value_errors(target, value)
    types = target.definition.method_types.map { |type| type.type.return_type }
    return [] if types.any? { |type| type.to_s == "bot" || type.to_s == "self" || target.check.value(value, type) }

    ["#{target.entry} returned a #{value.class}, and is to return #{types.join(" or ")}"]
  end
end

TYPED_CALLS = TypedCalls.new.start
Minitest.after_run do
  puts "signatures: #{TYPED_CALLS.calls.values.sum} calls of #{TYPED_CALLS.calls.size} public methods compared"
  puts "the tests call these public methods never: #{TYPED_CALLS.unused.sort.join(", ")}" if TYPED_CALLS.unused.any?
  TYPED_CALLS.faults.first(30).each { |fault, count| puts "  #{fault} (#{count} times)" }
  $stdout.flush
  exit!(1) if TYPED_CALLS.faults.any? || TYPED_CALLS.unused.any?
end
